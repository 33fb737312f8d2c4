// Checks that flat rings make a polygon whose inside is the same for every reader.
import type { Ring } from "./outline.ts";
import { flawOfOutline } from "./self-intersection.ts";

const flaws = {
  meets: "rings cross or touch themselves or each other",
  nested: "a hole lies outside the first ring, or within another hole",
} as const;

/**
 * The rings must be closed and have four or more points.
 * @returns the reason why the rings are no polygon; undefined when they are one.
 */
export function flawOfRings(rings: readonly Ring[]): string | undefined {
  const flaw = flawOfOutline(rings);
  return flaw === undefined ? undefined : flaws[flaw];
}
