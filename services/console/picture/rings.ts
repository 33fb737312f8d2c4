// Boxes, feet and centres of rings, and which ring a point is in.
import type { Box, Point, Ring } from "./view.ts";

/** @returns a box without an area for an empty ring. */
export function boxOf(ring: Ring): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return left > right ? [0, 0, 0, 0] : [left, top, right, bottom];
}

/** The middle of the lower edge, which is where a person stands. */
export const footOf = ([left, , right, bottom]: Box): Point => [(left + right) / 2, bottom];

/** The smallest box around both. */
export const joined = (a: Box | undefined, b: Box): Box =>
  a === undefined ? b : [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];

/** Whether the ring is its box: four corners, without a slope. Most trackers send nothing else. */
export const isUpright = (ring: Ring, [left, top, right, bottom]: Box): boolean =>
  (ring.length === 4 || ring.length === 5) &&
  ring.every(([x, y]) => (x === left || x === right) && (y === top || y === bottom));

export const isInBox = ([left, top, right, bottom]: Box, [x, y]: Point): boolean =>
  x >= left && x <= right && y >= top && y <= bottom;

/** Whether the point is within the first ring and in none of the others (its holes). */
export const isInRings = (rings: readonly Ring[], at: Point): boolean => {
  const [outer, ...holes] = rings;
  return outer !== undefined && isInRing(outer, at) && !holes.some((hole) => isInRing(hole, at));
};

/** Counts the edges that a ray to the right crosses: an odd number means inside. */
export function isInRing(ring: Ring, [x, y]: Point): boolean {
  let isInside = false;
  let before = ring.at(-1);
  for (const point of ring) {
    if (before !== undefined && point[1] > y !== before[1] > y) {
      const crossing = point[0] + ((y - point[1]) / (before[1] - point[1])) * (before[0] - point[0]);
      if (x < crossing) isInside = !isInside;
    }
    before = point;
  }
  return isInside;
}

/** Twice the area would do for comparisons; this is the area, in square pixels. */
export function areaOf(ring: Ring): number {
  let twice = 0;
  let before = ring.at(-1);
  for (const point of ring) {
    if (before !== undefined) twice += before[0] * point[1] - point[0] * before[1];
    before = point;
  }
  return Math.abs(twice) / 2;
}
