// The request for a summary, and its result.
import type { FilterTimeRangeInput } from "../../schemas/filters.ts";

/**
 * The objects that a range or a bucket counts: those that are active in it, those that start in it, or those that end
 * in it.
 */
export type Strategy = "ACTIVE" | "STARTED" | "ENDED";

/** The time from `from` (inclusive) to `to` (exclusive), in milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Grouping<D> {
  /** Length of a time bucket. Undefined when the buckets are not by time. */
  readonly sizeMs?: number | undefined;
  readonly dimensions: readonly D[];
}

export interface SummaryQuestion<D> {
  readonly range: Range;
  readonly strategy: Strategy;
  /** Undefined when no buckets are asked for. */
  readonly grouping?: Grouping<D> | undefined;
  readonly maxBuckets: number;
}

export interface Tally {
  readonly total: number;
  readonly started: number;
  readonly ended: number;
  /** Durations of the objects that have ended. Null when none has. */
  readonly duration: DurationStatistics | null;
}

/** Durations in milliseconds. */
export interface DurationStatistics {
  readonly min: number;
  readonly average: number;
  readonly max: number;
}

export interface Bucket {
  /** Start of the bucket. Null when the buckets are not by time. */
  readonly time: number | null;
  /** One value for each dimension. Null when the objects have none. */
  readonly values: readonly (string | null)[];
  readonly tally: Tally;
}

export interface Summary {
  readonly overall: Tally;
  /** The buckets sorted by time, then by the values. Undefined when none were asked for. */
  readonly buckets: readonly Bucket[] | undefined;
}

export const NOTHING: Tally = { total: 0, started: 0, ended: 0, duration: null };

/** Start of the time bucket in which the range begins. Buckets are aligned to UTC. */
export const firstBucket = ({ from }: Range, sizeMs: number): number => Math.floor(from / sizeMs) * sizeMs;

export const countBuckets = (range: Range, sizeMs: number): number =>
  Math.ceil((range.to - firstBucket(range, sizeMs)) / sizeMs);

/** The same range as the filter of a period, which includes its end. */
export function timeRangeOf({ range: { from, to }, strategy }: SummaryQuestion<unknown>): FilterTimeRangeInput {
  const range = { start: from, end: to - 1 };
  switch (strategy) {
    case "ACTIVE":
      return { intersecting: range };
    case "STARTED":
      return { startingWithin: range };
    case "ENDED":
      return { endingWithin: range };
    default:
      return strategy satisfies never;
  }
}
