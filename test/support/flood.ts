import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { FloodLoad, FloodResult } from "./flood-load.ts";

export type { FloodResult } from "./flood-load.ts";

/** Resolves when every request that was sent has been answered. */
export async function flood(load: FloodLoad): Promise<FloodResult> {
  const child = fork(fileURLToPath(new URL("./flood-load.ts", import.meta.url)), {
    execArgv: [],
    serialization: "advanced",
  });
  child.send(load);
  const [result] = (await once(child, "message")) as [FloodResult];
  return result;
}
