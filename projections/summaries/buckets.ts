// The buckets of a summary.
import { badInput } from "../../schemas/errors.ts";
import { type Bucket, countBuckets, firstBucket, NOTHING, type SummaryQuestion } from "./shape.ts";

/** Throws BAD_USER_INPUT when there are too many buckets. */
export function checkCount(count: number, maxBuckets: number): void {
  if (count <= maxBuckets) return;
  throw badInput(`more than ${maxBuckets} buckets (API_MAX_BUCKETS): ask for fewer fields or a shorter range`);
}

/** Returns every bucket of the range, including those without objects. */
export function withEmpty(
  buckets: readonly Bucket[],
  { range, grouping }: SummaryQuestion<unknown>,
): readonly Bucket[] {
  const sizeMs = grouping?.sizeMs;
  if (sizeMs === undefined) return buckets;
  const byTime = new Map(buckets.map((bucket) => [bucket.time, bucket]));
  const first = firstBucket(range, sizeMs);
  return Array.from({ length: countBuckets(range, sizeMs) }, (_, i) => {
    const time = first + i * sizeMs;
    return byTime.get(time) ?? { time, values: [], tally: NOTHING };
  });
}

/** Compares texts by their bytes, as the store sorts them. A missing text comes last. */
export function byBytes(a: readonly (Buffer | null)[], b: readonly (Buffer | null)[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i] ?? null;
    if (left === null && right === null) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const order = Buffer.compare(left, right);
    if (order !== 0) return order;
  }
  return 0;
}
