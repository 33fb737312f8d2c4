import type { Comparison } from "../measure.ts";

/** Only rows with this text in their name are measured. */
const asked = process.env["BENCH_BOUNDS"] ?? "";

export const isAsked = (name: string): boolean => name.includes(asked);

export const boundsRow = (name: string, ours: number, goal: string): Comparison => ({
  ...{ name: `bounds, ${name}`, unit: "ms", ours, goal },
  ...{ baseline: Number.NaN, ratio: Number.NaN },
});
