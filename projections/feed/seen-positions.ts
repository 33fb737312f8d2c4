// Where a track has been, as far as the feed knows: filters on `position` ask about all detections of a track, not only
// those of one message. Positions are flat pairs of numbers, longitude first, because a track may have very many.

/** More than a day at one position a second. A track with more keeps the newest. */
export const MAX_POSITIONS_OF_TRACK = 100_000;

/** Pairs of one track; pairs numbered below `first` have been dropped. */
export interface SeenPositions {
  /** Offset from which on the feed has read the log for this track; null = it has read no message yet. */
  since: number | null;
  /** Pairs from before `since`; undefined = not known yet. */
  before: readonly number[] | undefined;
  /** Pairs from then on, in the order of the log. */
  pairs: number[];
  first: number;
}

/** The pairs known when a message of the track came: all of `before`, and the first `count` of `pairs`. */
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
export const sizeOf = ({ before = [], pairs }: SeenPositions): number => (before.length + pairs.length) / 2;

/** False = the track has not moved, so there is nothing to keep. */
export function addPosition(seen: SeenPositions, longitude: number, latitude: number): boolean {
  const { pairs } = seen;
  if (pairs.at(-2) === longitude && pairs.at(-1) === latitude) return false;
  pairs.push(longitude, latitude);
  if (pairs.length <= 2 * MAX_POSITIONS_OF_TRACK) return true;
  // Half at once: dropping one at a time would move all others each time.
  const gone = MAX_POSITIONS_OF_TRACK / 2;
  seen.pairs = pairs.slice(2 * gone);
  seen.first += gone;
  return true;
}

/** Whether the track had any position when the message came. */
export const hasPosition = ({ seen: { before }, count }: SeenSoFar): boolean =>
  count > 0 || (before !== undefined && before.length > 0);
