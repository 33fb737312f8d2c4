// The buckets with the highest totals.
import type { Bucket } from "./shape.ts";

/** The part of a bucket's key by which buckets are compared. */
export interface Groups {
  readonly isByTime: boolean;
  /** Places in the values of a bucket. */
  readonly dimensions: readonly number[];
}

/**
 * The bucket with the highest total, or the one of each group, with no more of its key than the group has in common; all of
 * them if several have the same total. Groups keep the order of the buckets. undefined = all buckets are one group, and
 * keys stay whole.
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
