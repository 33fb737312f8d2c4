// The times that a chronicle query fetches: periods of at most a day, from the start on.

export const CHUNK_MS = 86_400_000;
export const MAX_CHUNKS = 100;

/** [from, to), in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Window {
  readonly start: number;
  readonly end: number;
  readonly timeMatch: "overlap" | "started_in";
  readonly lookbackMs: number;
}

/** Where the chronicles begin that a query may find. */
export const fetchSpan = ({ start, end, timeMatch, lookbackMs }: Window): Span => ({
  from: timeMatch === "overlap" ? start - lookbackMs : start,
  to: end,
});

export const isTooLong = ({ from, to }: Span): boolean => to - from > MAX_CHUNKS * CHUNK_MS;

export function chunksOf({ from, to }: Span): readonly Span[] {
  const count = Math.ceil((to - from) / CHUNK_MS);
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * CHUNK_MS,
    to: Math.min(from + (index + 1) * CHUNK_MS, to),
  }));
}
