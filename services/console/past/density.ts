// How many detections there were in each part of a range: sizes of the buckets, and their bars.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";
import { lengthOf, type Range, shareOf, WEEK_MS } from "./scale.ts";

/** A bucket of a summary. */
export interface Bucket {
  readonly from: number;
  readonly count: number;
}

/** Buckets of one size, in the order of time. */
export interface Density {
  readonly bucketMs: number;
  readonly buckets: readonly Bucket[];
}

interface BucketSize {
  readonly name: "MINUTES" | "MINUTES_10" | "HOURS" | "DAYS";
  readonly ms: number;
  /** The server refuses longer ranges, or the bars would be too thin. */
  readonly longestMs: number;
}

const SIZES: readonly BucketSize[] = [
  { name: "MINUTES", ms: MINUTE_MS, longestMs: 6 * HOUR_MS },
  { name: "MINUTES_10", ms: 10 * MINUTE_MS, longestMs: DAY_MS },
  { name: "HOURS", ms: HOUR_MS, longestMs: WEEK_MS },
];
const LARGEST: BucketSize = { name: "DAYS", ms: DAY_MS, longestMs: Number.POSITIVE_INFINITY };

/** The smallest size for the range: at most about 370 buckets. */
export const bucketSizeOf = (range: Range): BucketSize =>
  SIZES.find(({ longestMs }) => lengthOf(range) <= longestMs) ?? LARGEST;

/** Size of the plane of the bars. */
export const BARS_WIDE = 1_000;
export const BARS_HIGH = 100;

/**
 * An SVG path of one bar for each bucket with detections. Heights grow with the square root, so that few detections
 * are seen beside many.
 */
export function barsPath({ bucketMs, buckets }: Density, range: Range): string {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const bars: string[] = [];
  for (const { from, count } of buckets) {
    const left = Math.max(0, shareOf(range, from)) * BARS_WIDE;
    const right = Math.min(1, shareOf(range, from + bucketMs)) * BARS_WIDE;
    if (count === 0 || right <= left) continue;
    const height = Math.max(4, Math.sqrt(count / most) * BARS_HIGH);
    bars.push(`M${short(left)} ${BARS_HIGH}V${short(BARS_HIGH - height)}H${short(right)}V${BARS_HIGH}Z`);
  }
  return bars.join("");
}

const short = (value: number): string => String(Math.round(value * 100) / 100);

export const countIn = ({ buckets }: Density): number => buckets.reduce((sum, { count }) => sum + count, 0);

/**
 * Cuts the range where its detections are: each slice begins after an equal number of them.
 * @param count the most slices, 1 or more.
 */
export function slicesOf({ bucketMs, buckets }: Density, range: Range, count: number): readonly Range[] {
  const total = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  if (total === 0) return [];
  const starts: number[] = [];
  let before = 0;
  for (const bucket of buckets) {
    while (starts.length < count && bucket.count > 0 && (starts.length * total) / count < before + bucket.count) {
      const share = ((starts.length * total) / count - before) / bucket.count;
      starts.push(Math.min(range.to, Math.max(range.from, Math.round(bucket.from + share * bucketMs))));
    }
    before += bucket.count;
  }
  const cuts = [...new Set(starts)];
  return cuts.map((from, i) => ({ from, to: (cuts[i + 1] ?? range.to + 1) - 1 }));
}
