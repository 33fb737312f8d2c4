// The buckets with the highest totals.
import type { Bucket } from "./shape.ts";

/** The part of a bucket's key by which buckets are grouped and compared. */
export interface Groups {
  readonly isByTime: boolean;
  /** Indexes into the values of a bucket. */
  readonly dimensions: readonly number[];
}

/**
 * Returns the bucket with the highest total of each group, reduced to the part of the key that the group has in common;
 * several buckets when they share that total. Groups keep the order of the buckets. Without `groups`, all buckets are
 * one group, and their keys stay whole.
 */
export function highestTotals(buckets: readonly Bucket[], groups: Groups | undefined): Bucket[] {
  const best = new Map<string, Bucket[]>();
  for (const bucket of buckets) {
    const shown = groups === undefined ? bucket : reduced(bucket, groups);
    const group = groups === undefined ? "" : JSON.stringify([shown.time, shown.values]);
    const [leader] = best.get(group) ?? [];
    if (leader === undefined || bucket.tally.total > leader.tally.total) best.set(group, [shown]);
    else if (bucket.tally.total === leader.tally.total) best.get(group)?.push(shown);
  }
  return [...best.values()].flat();
}

const reduced = ({ time, values, tally }: Bucket, { isByTime, dimensions }: Groups): Bucket => ({
  time: isByTime ? time : null,
  values: dimensions.map((i) => values[i] ?? null),
  tally,
});
