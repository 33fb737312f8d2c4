// The box of a polygon, and computations with boxes.

export interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * `rings` are flat: x0, y0, x1, y1, ...
 * @returns undefined when they have no point.
 */
export const boxOf = ([ring = []]: readonly (readonly number[])[]): Box | undefined =>
  ring.length < 2 ? undefined : boxOfRing(ring);

/** A ring without points has a box that contains nothing: its least values are infinite, its greatest -infinite. */
export function boxOfRing(ring: readonly number[]): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 1; i < ring.length; i += 2) {
    const x = ring[i - 1] ?? 0;
    const y = ring[i] ?? 0;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return { minX, minY, maxX, maxY };
}

/** `share` is the part of the way from the first box (0) to the second (1). */
export const boxBetween = (from: Box, to: Box, share: number): Box => ({
  minX: interpolate(from.minX, to.minX, share),
  minY: interpolate(from.minY, to.minY, share),
  maxX: interpolate(from.maxX, to.maxX, share),
  maxY: interpolate(from.maxY, to.maxY, share),
});

export const centreOf = ({ minX, minY, maxX, maxY }: Box) => ({ x: (minX + maxX) / 2, y: (minY + maxY) / 2 });

/** The result is exact at both ends. */
export const interpolate = (from: number, to: number, share: number): number =>
  share < 1 ? from + (to - from) * share : to;
