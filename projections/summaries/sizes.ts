// The sizes of time buckets, and the longest ranges for which they are allowed.
import { badInput, type InputPath } from "../../schemas/errors.ts";
import type { SummaryBucketSize } from "../../schemas/graphql/inputs.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../schemas/units.ts";
import { countBuckets, type Range } from "./shape.ts";

interface Size {
  readonly ms: number;
  /** The longest range that may be cut into buckets of this size. */
  readonly longestMs: number;
}

const minutes = (count: number): Size => ({ ms: count * MINUTE_MS, longestMs: DAY_MS });

const sizes: Readonly<Record<SummaryBucketSize, Size>> = {
  MINUTES: minutes(1),
  MINUTES_10: minutes(10),
  MINUTES_12: minutes(12),
  MINUTES_15: minutes(15),
  MINUTES_20: minutes(20),
  MINUTES_30: minutes(30),
  HOURS: { ms: HOUR_MS, longestMs: 7 * DAY_MS },
  DAYS: { ms: DAY_MS, longestMs: Number.POSITIVE_INFINITY },
};

/** Throws BAD_USER_INPUT when the range does not end after its start. */
export function checkRange({ from, to }: Range): void {
  if (to <= from) throw badInput("endTime must be after startTime", ["endTime"]);
}

/** The length of a bucket. Throws BAD_USER_INPUT when the size is too small for the range. */
export function readSize(size: SummaryBucketSize, range: Range, maxBuckets: number, path: InputPath): number {
  const { ms, longestMs } = sizes[size];
  if (range.to - range.from > longestMs) {
    throw badInput(`${size} is for ranges of up to ${longestMs / DAY_MS} days`, path);
  }
  const count = countBuckets(range, ms);
  if (count > maxBuckets) throw badInput(`${count} buckets, the limit is ${maxBuckets} (API_MAX_BUCKETS)`, path);
  return ms;
}
