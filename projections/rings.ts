// Whether flat rings make a polygon whose inside is the same for everyone who reads it.
import type { Ring } from "./outline.ts";
import { flawOfOutline } from "./self-intersection.ts";

const flaws = {
  meets: "rings cross or touch themselves or each other",
  nested: "a hole lies outside the first ring, or within another hole",
} as const;

/** @returns why the rings are no polygon, undefined if they are one. They are closed, of four or more points. */
export function flawOfRings(rings: readonly Ring[]): string | undefined {
  const flaw = flawOfOutline(rings);
  return flaw === undefined ? undefined : flaws[flaw];
}
