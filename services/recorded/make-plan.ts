// Finds the segments that a session needs. ClickHouse has the times at which its tracks were recorded, the broker has
// the offsets of these times.
import type { Admin } from "kafkajs";
import { earliestBeside, type TrackExtent, trackExtents } from "../../projections/history/queries/replays.ts";
import type { QueryClient } from "../../projections/history/queries/run.ts";
import { type Stretched, withoutOverlaps } from "../../projections/replay/overlaps.ts";
import type { ReplaySelection } from "../../projections/replay/selection.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { type OffsetRange, offsetRanges, offsetsSince } from "../common/kafka/offsets.ts";
import { createPartitionOf } from "../common/kafka/partition-of.ts";
import type { LogFetcher } from "../common/kafka/read/fetch-log.ts";
import { growing, loop } from "../common/loop.ts";
import { SessionFailed } from "./failed.ts";

export interface PlanDeps {
  readonly history: QueryClient;
  /** Offset of the next message of the topic to project, by partition. Sessions that wait share the answers. */
  readonly projectedUpTo: () => Promise<ReadonlyMap<number, number>>;
  readonly admin: Admin;
  readonly fetcher: Pick<LogFetcher, "fetch">;
  /** The camera-log's name on the broker. */
  readonly topic: string;
  readonly trackTtlMs: number;
  /** Reading begins at most this long before the requested tracks, ms, so that tracks already present are included. */
  readonly warmUpMs: number;
  readonly signal: AbortSignal;
}

/** Longest wait, ms, for the history to have everything that the log had when the session began. */
export const BEHIND_MS = 600_000;
/**
 * Pauses between queries, ms. They grow, because thousands of sessions may wait while the projector needs the same
 * store.
 */
export const askAgainMs = growing(250, 10_000);
const NAMED_IDS = 5;

/** Resolves with segments, sorted by their beginning. Rejects with SessionFailed when a track is not known. */
export async function makePlan(selection: ReplaySelection, deps: PlanDeps): Promise<Segment[]> {
  if (selection.kind !== "tracks") throw new SessionFailed(`a ${selection.kind} cannot be replayed yet`);
  const extents = await knownExtents(selection.trackIds, deps);
  const ranges = await offsetRanges(deps.admin, deps.topic);
  const partitionOf = createPartitionOf(new Map([[deps.topic, ranges.length]]));
  const byPartition = Map.groupBy(extents, ({ dataSourceId }) => partitionOf(deps.topic, dataSourceId));
  const segments: Segment[] = [];
  for (const [partition, found] of byPartition) {
    const range = ranges[partition];
    if (range === undefined) throw new Error(`no partition ${partition} in ${deps.topic}`);
    const firstAt = await firstKept(range, deps);
    const stretches: Stretched[] = [];
    for (const together of atTheSameTime(found, deps.trackTtlMs)) {
      stretches.push(await stretchOf(together, firstAt, deps));
    }
    for (const merged of withoutOverlaps(stretches, deps.trackTtlMs))
      segments.push(await segmentOf(merged, range, deps));
  }
  return segments.sort((a, b) => a.beginAt - b.beginAt || a.partition - b.partition);
}

/**
 * The log may have detections that the history does not have yet: a track is unknown only when all of them are
 * projected.
 */
async function knownExtents(trackIds: readonly string[], deps: PlanDeps): Promise<TrackExtent[]> {
  const { history, admin, topic, signal } = deps;
  let unknown: readonly string[] = trackIds;
  let filled: readonly OffsetRange[] | undefined;
  const ask = async () => {
    // Must run before the query, whose answer then includes everything that is projected up to there.
    const isBehind = filled === undefined || (await isMissingSome(filled, deps));
    const extents = await trackExtents(history, trackIds);
    const known = new Set(extents.map(({ trackId }) => trackId));
    unknown = trackIds.filter((id) => !known.has(id));
    if (unknown.length === 0) return extents;
    if (!isBehind) throw new SessionFailed(noDetections(unknown));
    filled ??= (await offsetRanges(admin, topic)).filter(({ low, high }) => high > low);
    return undefined;
  };
  const extents = await loop(ask, { pauseMs: askAgainMs, withinMs: BEHIND_MS, signal });
  if (extents === undefined) throw new SessionFailed(`${noDetections(unknown)}; the history is behind the log`);
  return extents;
}

async function isMissingSome(ranges: readonly OffsetRange[], { projectedUpTo }: PlanDeps): Promise<boolean> {
  const projected = await projectedUpTo();
  return ranges.some(({ partition, high }) => (projected.get(partition) ?? 0) < high);
}

const noDetections = (ids: readonly string[]): string =>
  `no detections are known of ${ids.length} of the tracks: ${ids.slice(0, NAMED_IDS).join(", ")}`;

/** Groups tracks that were recorded at the same time, so that the session skips the gaps between groups. */
function atTheSameTime(extents: readonly TrackExtent[], ttlMs: number): TrackExtent[][] {
  const groups: TrackExtent[][] = [];
  let endsAt = Number.NEGATIVE_INFINITY;
  for (const extent of extents.toSorted((a, b) => a.recordedFrom - b.recordedFrom)) {
    if (extent.recordedFrom > endsAt) groups.push([]);
    groups.at(-1)?.push(extent);
    endsAt = Math.max(endsAt, extent.recordedTo + ttlMs);
  }
  return groups;
}

async function stretchOf(extents: readonly TrackExtent[], firstAt: number, deps: PlanDeps): Promise<Stretched> {
  const from = Math.min(...extents.map(({ recordedFrom }) => recordedFrom));
  const to = Math.max(...extents.map(({ recordedTo }) => recordedTo));
  const dataSourceIds = [...new Set(extents.map(({ dataSourceId }) => dataSourceId))];
  const [since, until] = [from - deps.warmUpMs, to + deps.trackTtlMs];
  const beside = await Promise.all(
    dataSourceIds.map((dataSourceId) => earliestBeside(deps.history, { dataSourceId, since, at: from, until })),
  );
  return {
    asked: { kind: "tracks", tracks: extents.map(({ dataSourceId, trackId }) => ({ dataSourceId, trackId })) },
    dataSourceIds,
    log: firstAt <= from ? "topic" : "history",
    beginAt: Math.min(from, ...beside),
    lastAt: to,
    recorded: [{ from, to }],
    eventFrom: Math.min(...extents.map(({ eventFrom }) => eventFrom)),
    eventTo: Math.max(...extents.map(({ eventTo }) => eventTo)),
  };
}

async function segmentOf(stretch: Stretched, { partition, low, high }: OffsetRange, deps: PlanDeps): Promise<Segment> {
  if (stretch.log === "history") return { ...stretch, partition, begin: 0, end: high };
  const offsets = await offsetsSince(deps.admin, deps.topic, stretch.beginAt, [partition]);
  return { ...stretch, partition, begin: Math.max(low, offsets.get(partition) ?? low), end: high };
}

/** Resolves with the broker time of the first message that the partition still has. */
export async function firstKept({ partition, low, high }: OffsetRange, { fetcher, topic }: PlanDeps): Promise<number> {
  if (high === low) return Number.POSITIVE_INFINITY;
  const { messages } = await fetcher.fetch({ topic, partition }, low);
  const [first] = messages;
  return first === undefined ? Number.POSITIVE_INFINITY : Number(first.timestamp);
}
