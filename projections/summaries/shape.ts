// What a summary is asked for, and what it answers with.
import type { FilterTimeRangeInput } from "../../schemas/filters.ts";

/** Which objects a range or a bucket counts: those that are active in it, those that start in it, those that end in it. */
export type Strategy = "ACTIVE" | "STARTED" | "ENDED";

/** Half-open; milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Grouping<D> {
  /** Length of a time bucket; undefined = not by time. */
  readonly sizeMs?: number | undefined;
  readonly dimensions: readonly D[];
}

export interface Question<D> {
  readonly range: Range;
  readonly strategy: Strategy;
  /** undefined = no buckets. */
  readonly grouping?: Grouping<D> | undefined;
  readonly maxBuckets: number;
}

export interface Tally {
  readonly total: number;
  readonly started: number;
  readonly ended: number;
  /** Of the objects that have ended; null = none has. */
  readonly duration: DurationStatistics | null;
}

/** Milliseconds. */
export interface DurationStatistics {
  readonly min: number;
  readonly average: number;
  readonly max: number;
}

export interface Bucket {
  /** Its start; null = not by time. */
  readonly time: number | null;
  /** One for each dimension; null = the objects have no value. */
  readonly values: readonly (string | null)[];
  readonly tally: Tally;
}

export interface Summary {
  readonly overall: Tally;
  /** By time, then by the values; undefined = none were asked for. */
  readonly buckets: readonly Bucket[] | undefined;
}

export const NOTHING: Tally = { total: 0, started: 0, ended: 0, duration: null };

/** Start of the time bucket that the range begins in. Buckets are aligned to UTC. */
export const firstBucket = ({ from }: Range, sizeMs: number): number => Math.floor(from / sizeMs) * sizeMs;

export const countBuckets = (range: Range, sizeMs: number): number =>
  Math.ceil((range.to - firstBucket(range, sizeMs)) / sizeMs);

/** The same range as the filter of a period, which is closed. */
export function timeRangeOf({ range: { from, to }, strategy }: Question<unknown>): FilterTimeRangeInput {
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
