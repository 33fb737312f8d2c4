// What a snapshot needs of a detection.
import type { Box } from "../box.ts";
import type { Place } from "../great-circle.ts";

export interface Spot {
  /** Of the detection; ms. */
  readonly at: number;
  /** null: the detection has no polygon. */
  readonly box: Box | null;
  /** null: the detection has no position. */
  readonly place: Place | null;
  /** When the log took the detection in, ms; null = not known. */
  readonly recordedAt: number | null;
}

/** Of one track in ascending order of time, each time once. */
export type Spots = readonly Spot[];

export interface Neighbours {
  /** The last one that is not later. */
  readonly before: Spot | undefined;
  /** The first one that is not earlier; the same as `before` if one is exactly there. */
  readonly after: Spot | undefined;
}

export function neighbours(spots: Spots, at: number): Neighbours {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spots[middle]?.at ?? at) < at) low = middle + 1;
    else high = middle;
  }
  const after = spots[low];
  return { before: after?.at === at ? after : spots[low - 1], after };
}

/** Of two at the same distance the earlier one. */
export function nearest({ before, after }: Neighbours, at: number): Spot | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  return after.at - at < at - before.at ? after : before;
}

/** The spots between two times, both included. */
export const within = (spots: Spots, from: number, to: number): Spots =>
  spots.filter(({ at }) => at >= from && at <= to);

/** In the order of time; of several with the same time the first, as in the log. */
export function inOrder(spots: readonly Spot[]): Spots {
  const sorted = [...spots].sort((a, b) => a.at - b.at);
  return sorted.filter((spot, i) => sorted[i - 1]?.at !== spot.at);
}
