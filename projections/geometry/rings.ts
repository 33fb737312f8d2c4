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

export const enclosesNothing = (ring: Ring): boolean => shoelace(ring) === 0;

/** Returns twice the signed area. */
function shoelace(ring: Ring): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    sum += at(ring, i) * at(ring, i + 3) - at(ring, i + 2) * at(ring, i + 1);
  }
  return sum;
}

const at = (ring: Ring, i: number): number => ring[i] ?? Number.NaN;
