import type { Format } from "./format.ts";
import { mot } from "./mot.ts";
import { sdd } from "./sdd.ts";

export const formats = { mot, sdd } as const satisfies Record<string, Format>;
export type FormatName = keyof typeof formats;
