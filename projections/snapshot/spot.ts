// The part of a detection that a snapshot needs.
import type { Box } from "../geometry/box.ts";
import type { GeoPoint } from "../geometry/great-circle.ts";

export interface Spot {
  /** Time of the detection, ms. */
  readonly at: number;
  /** Null when the detection has no polygon. */
  readonly box: Box | null;
  /** Null when the detection has no position. */
  readonly place: GeoPoint | null;
  /** Broker time of the detection, ms. Null when unknown. */
  readonly recordedAt: number | null;
}

/** The spots of one track in ascending order of time, each time once. */
export type Spots = readonly Spot[];

export interface Neighbours {
  /** The last spot that is not later. */
  readonly before: Spot | undefined;
  /** The first spot that is not earlier; the same as `before` when a spot is exactly there. */
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

/** The nearest spot. Of two at the same distance it is the earlier one. */
export function nearest({ before, after }: Neighbours, at: number): Spot | undefined {
  if (before === undefined || after === undefined) return before ?? after;
  return after.at - at < at - before.at ? after : before;
}

/** The spots between two times, both included. */
export const spotsWithin = (spots: Spots, from: number, to: number): Spots =>
  spots.filter(({ at }) => at >= from && at <= to);

/** Sorts spots by time. Of several with the same time, the first in the log remains. */
export function inOrder(spots: readonly Spot[]): Spots {
  const sorted = [...spots].sort((a, b) => a.at - b.at);
  return sorted.filter((spot, i) => sorted[i - 1]?.at !== spot.at);
}
