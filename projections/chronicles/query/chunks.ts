// The times that a chronicle query fetches: periods of at most a day, from the start on.
import { MAX_QUERY_DAYS } from "../../../schemas/rest/chronicle-query.ts";
import { DAY_MS } from "../../../schemas/units.ts";

/** The time from `from` (inclusive) to `to` (exclusive), in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface TimeWindow {
  readonly start: number;
  readonly end: number;
  readonly timeMatch: "overlap" | "started_in";
  readonly lookbackMs: number;
}

/** Returns the time in which all chronicles begin that a query may find. */
export const fetchSpan = ({ start, end, timeMatch, lookbackMs }: TimeWindow): Span => ({
  from: timeMatch === "overlap" ? start - lookbackMs : start,
  to: end,
});

export const isTooLong = ({ from, to }: Span): boolean => to - from > MAX_QUERY_DAYS * DAY_MS;

export function chunksOf({ from, to }: Span): readonly Span[] {
  const count = Math.ceil((to - from) / DAY_MS);
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * DAY_MS,
    to: Math.min(from + (index + 1) * DAY_MS, to),
  }));
}
