// Segments of stretches that are known by the times at which they were recorded.
import type { RecordedExtent } from "../../projections/history/queries/replay-stretches.ts";
import { type Stretched, withoutOverlaps } from "../../projections/replay/overlaps.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { type OffsetRange, offsetRanges, offsetsSince } from "../common/kafka/offsets.ts";
import { createPartitionOf } from "../common/kafka/partition-of.ts";
import { firstKept, type PlanDeps } from "./plan-deps.ts";

/**
 * `stretchesOf` resolves with the stretches of the extents in one partition. `firstAt` is the broker time of the first
 * message that the partition still has.
 */
export async function segmentsByTime<Extent extends { readonly dataSourceId: string }>(
  extents: readonly Extent[],
  deps: PlanDeps,
  stretchesOf: (found: readonly Extent[], firstAt: number) => Promise<readonly Stretched[]>,
): Promise<Segment[]> {
  const ranges = await offsetRanges(deps.admin, deps.topic);
  const partitionOf = createPartitionOf(new Map([[deps.topic, ranges.length]]));
  const byPartition = Map.groupBy(extents, ({ dataSourceId }) => partitionOf(deps.topic, dataSourceId));
  const segments: Segment[] = [];
  for (const [partition, found] of byPartition) {
    const range = ranges[partition];
    if (range === undefined) throw new Error(`no partition ${partition} in ${deps.topic}`);
    const stretches = await stretchesOf(found, await firstKept(range, deps));
    for (const merged of withoutOverlaps(stretches, deps.trackTtlMs))
      segments.push(await segmentOf(merged, range, deps));
  }
  return segments;
}

/** Groups what was recorded at the same time, so that the session skips the gaps between groups. */
export function atTheSameTime<Extent extends RecordedExtent>(extents: readonly Extent[], ttlMs: number): Extent[][] {
  const groups: Extent[][] = [];
  let endsAt = Number.NEGATIVE_INFINITY;
  for (const extent of extents.toSorted((a, b) => a.recordedFrom - b.recordedFrom)) {
    if (extent.recordedFrom > endsAt) groups.push([]);
    groups.at(-1)?.push(extent);
    endsAt = Math.max(endsAt, extent.recordedTo + ttlMs);
  }
  return groups;
}

async function segmentOf(stretch: Stretched, range: OffsetRange, deps: PlanDeps): Promise<Segment> {
  const { partition, high: end } = range;
  const begin = stretch.log === "history" ? 0 : await offsetAt(stretch.beginAt, range, deps);
  return { ...stretch, partition, begin, end };
}

/** Resolves with the offset of the first message of the range that was recorded at this time or later. */
export async function offsetAt(timeMs: number, { partition, low }: OffsetRange, deps: PlanDeps): Promise<number> {
  const offsets = await offsetsSince(deps.admin, deps.topic, timeMs, [partition]);
  return Math.max(low, offsets.get(partition) ?? low);
}
