// Cuts the range of a trial into pieces of about as many detections. So the memory of a trial does not depend on its
// range, and a trial can be cancelled between two pieces.
import type { TrialBucket, TrialPiece, TrialRange } from "../history/queries/trial.ts";

/** Counts the detections of a range in buckets of this width. */
export type CountBuckets = (range: TrialRange, widthMs: number) => Promise<readonly TrialBucket[]>;

/** Number of buckets in which a range is counted. */
const BUCKETS = 2_000;

/** A piece has at most `target` detections, except when a single millisecond has more. */
export async function piecesOf(range: TrialRange, target: number, count: CountBuckets): Promise<TrialPiece[]> {
  const { dataSourceId } = range;
  const merged = mergeBuckets(await fineBuckets(range, target, count), target);
  return merged.map(({ from, to, last }, i) => {
    const overlapping = merged.findLast(({ first }, j) => j > i && first < last);
    const overlap = overlapping && { to: overlapping.to, before: last };
    return { dataSourceId, from, to, overlap };
  });
}

/** Counts those buckets again that have too many detections. */
async function fineBuckets(range: TrialRange, target: number, count: CountBuckets): Promise<TrialBucket[]> {
  const widthMs = Math.ceil((range.to - range.from) / BUCKETS);
  const fine: TrialBucket[] = [];
  for (const bucket of await count(range, widthMs)) {
    const { from, to, detections } = bucket;
    if (detections <= target || to - from <= 1) fine.push(bucket);
    else fine.push(...(await fineBuckets({ dataSourceId: range.dataSourceId, from, to }, target, count)));
  }
  return fine;
}

/** Joins neighbours, with the empty time between them, as long as they have at most `target` detections together. */
function mergeBuckets(buckets: readonly TrialBucket[], target: number): TrialBucket[] {
  const merged: TrialBucket[] = [];
  for (const bucket of buckets) {
    const last = merged.at(-1);
    if (last === undefined || last.detections + bucket.detections > target) merged.push(bucket);
    else merged[merged.length - 1] = join(last, bucket);
  }
  return merged;
}

const join = (one: TrialBucket, next: TrialBucket): TrialBucket => ({
  from: one.from,
  to: next.to,
  detections: one.detections + next.detections,
  first: Math.min(one.first, next.first),
  last: Math.max(one.last, next.last),
});
