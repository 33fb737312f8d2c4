// The positions of a track that the feed knows. Filters on `position` test all detections of a track, not only those of
// one message. Positions are flat pairs of numbers, longitude first, because a track may have very many.

/**
 * The maximum number of positions of one track, more than a day at one position a second. A track with more keeps the
 * newest.
 */
export const MAX_POSITIONS_OF_TRACK = 100_000;

/** Pairs of one track; pairs numbered below `first` have been dropped. */
export interface SeenPositions {
  /** Offset from which on the feed has read the log for this track. Null until it has read a message. */
  since: number | null;
  /** Pairs from before `since`. Undefined until they are known. */
  before: readonly number[] | undefined;
  /** Pairs from `since` on, in the order of the log. */
  pairs: number[];
  first: number;
}

/** The pairs known when a message of the track arrived: all of `before`, and the first `count` of `pairs`. */
export interface SeenSoFar {
  readonly seen: SeenPositions;
  readonly count: number;
}

export const createSeen = (before: readonly number[] | undefined): SeenPositions => ({
  since: null,
  before,
  pairs: [],
  first: 0,
});

export const countOf = ({ pairs, first }: SeenPositions): number => first + pairs.length / 2;

/** Number of pairs in memory. */
export const pairCount = ({ before = [], pairs }: SeenPositions): number => (before.length + pairs.length) / 2;

/** @returns false when the track has not moved, so there is nothing to keep. */
export function addPosition(seen: SeenPositions, longitude: number, latitude: number): boolean {
  const { pairs } = seen;
  if (pairs.at(-2) === longitude && pairs.at(-1) === latitude) return false;
  pairs.push(longitude, latitude);
  if (pairs.length <= 2 * MAX_POSITIONS_OF_TRACK) return true;
  // Half of the pairs are dropped at once: dropping one at a time would move all others each time.
  const gone = MAX_POSITIONS_OF_TRACK / 2;
  seen.pairs = pairs.slice(2 * gone);
  seen.first += gone;
  return true;
}

/** @returns true when the track had any position when the message arrived. */
export const hasPosition = ({ seen: { before }, count }: SeenSoFar): boolean =>
  count > 0 || (before !== undefined && before.length > 0);
