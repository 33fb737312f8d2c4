import { runLoad } from "../running/load-process.ts";
import type { FloodLoad, FloodResult } from "./flood-load.ts";

export type { FloodResult } from "./flood-load.ts";

/** Resolves when every request that was sent has been answered. */
export const flood = (load: FloodLoad): Promise<FloodResult> =>
  runLoad<FloodResult>(new URL("./flood-load.ts", import.meta.url), load);
