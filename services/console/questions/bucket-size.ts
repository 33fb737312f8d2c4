// Lengths of the buckets of a count.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";
import type { Choice, Period } from "./question.ts";

interface BucketSize extends Choice {
  readonly ms: number;
}

/** The keys are those of the interface. */
export const BUCKET_SIZES: readonly BucketSize[] = [
  { key: "MINUTES", name: "Minute", ms: MINUTE_MS },
  { key: "MINUTES_10", name: "10 minutes", ms: 10 * MINUTE_MS },
  { key: "MINUTES_30", name: "30 minutes", ms: 30 * MINUTE_MS },
  { key: "HOURS", name: "Hour", ms: HOUR_MS },
  { key: "DAYS", name: "Day", ms: DAY_MS },
];

export const NO_BUCKETS = "none";
/** More bars than these are hard to tell apart. */
const MOST_BARS = 120;

/** @param asked a key, "none", or empty: then the shortest one that is still easy to read. */
export function bucketSize(asked: string, period: Period): string {
  if (asked === NO_BUCKETS) return "";
  if (BUCKET_SIZES.some(({ key }) => key === asked)) return asked;
  const length = period === undefined ? Number.POSITIVE_INFINITY : period.to - period.from;
  return (BUCKET_SIZES.find(({ ms }) => length / ms <= MOST_BARS) ?? BUCKET_SIZES.at(-1))?.key ?? "";
}

export const bucketMs = (key: string): number | undefined => BUCKET_SIZES.find((each) => each.key === key)?.ms;
