// Finds the stretches of the log that a session needs: the history knows when its tracks were recorded, the broker at which
// offsets that was.
import type { Admin } from "kafkajs";
import { earliestBeside, type TrackExtent, trackExtents } from "../../projections/history/queries/replays.ts";
import type { Asked } from "../../projections/history/queries/run.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { LogFetcher } from "../common/kafka/fetch-log.ts";
import { type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { createPartitionOf } from "../common/kafka/partition-of.ts";
import { untilSo } from "../common/loop.ts";
import { SessionFailed } from "./failed.ts";

export interface PlanDeps {
  readonly history: Asked;
  readonly admin: Admin;
  readonly fetcher: Pick<LogFetcher, "fetch">;
  /** The camera-log's name on the broker. */
  readonly topic: string;
  readonly trackTtlMs: number;
  /** How far before the asked tracks to begin at most, for the tracks that were there already. */
  readonly warmUpMs: number;
  readonly signal: AbortSignal;
}

/** The history may be a moment behind the log. */
const KNOWN_WITHIN_MS = 5_000;
const ASK_AGAIN_MS = 250;
const NAMED_IDS = 5;

/** By the time of their beginning. Rejects with SessionFailed when a track is not known. */
export async function makePlan(trackIds: readonly string[], deps: PlanDeps): Promise<Segment[]> {
  const extents = await knownExtents(trackIds, deps);
  const ranges = await offsetRanges(deps.admin, deps.topic);
  const partitionOf = createPartitionOf(new Map([[deps.topic, ranges.length]]));
  const byPartition = Map.groupBy(extents, ({ dataSourceId }) => partitionOf(deps.topic, dataSourceId));
  const segments: Segment[] = [];
  for (const [partition, found] of byPartition) {
    const range = ranges[partition];
    if (range === undefined) throw new Error(`no partition ${partition} in ${deps.topic}`);
    for (const together of atTheSameTime(found, deps.trackTtlMs)) segments.push(await segmentOf(together, range, deps));
  }
  return segments.sort((a, b) => a.beginAt - b.beginAt || a.partition - b.partition);
}

async function knownExtents(trackIds: readonly string[], { history, signal }: PlanDeps): Promise<TrackExtent[]> {
  let extents: TrackExtent[] = [];
  let unknown: string[] = [];
  const areKnown = async () => {
    extents = await trackExtents(history, trackIds);
    const known = new Set(extents.map(({ trackId }) => trackId));
    unknown = trackIds.filter((id) => !known.has(id));
    return unknown.length === 0;
  };
  if (await untilSo(areKnown, { pauseMs: ASK_AGAIN_MS, withinMs: KNOWN_WITHIN_MS, signal })) return extents;
  const named = unknown.slice(0, NAMED_IDS).join(", ");
  throw new SessionFailed(`no detections are known of ${unknown.length} of the tracks: ${named}`);
}

/** Groups of tracks that were recorded at the same time, so that what lies between groups is not read. */
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

async function segmentOf(extents: readonly TrackExtent[], range: OffsetRange, deps: PlanDeps): Promise<Segment> {
  const { partition, low, high } = range;
  const askedFrom = Math.min(...extents.map(({ recordedFrom }) => recordedFrom));
  const dataSourceIds = [...new Set(extents.map(({ dataSourceId }) => dataSourceId))];
  const since = askedFrom - deps.warmUpMs;
  const until = Math.max(...extents.map(({ recordedTo }) => recordedTo)) + deps.trackTtlMs;
  const beside = await Promise.all(
    dataSourceIds.map((dataSourceId) => earliestBeside(deps.history, { dataSourceId, since, at: askedFrom, until })),
  );
  const beginAt = Math.min(askedFrom, ...beside);
  const isKept = await keeps(range, askedFrom, deps);
  return {
    partition,
    trackIds: [...new Set(extents.map(({ trackId }) => trackId))],
    dataSourceIds,
    log: isKept ? "topic" : "history",
    begin: isKept ? Math.max(low, (await offsetAt(beginAt, partition, deps)) ?? low) : 0,
    end: high,
    beginAt,
    lastAt: Math.max(...extents.map(({ recordedTo }) => recordedTo)),
    eventFrom: Math.min(...extents.map(({ eventFrom }) => eventFrom)),
    eventTo: Math.max(...extents.map(({ eventTo }) => eventTo)),
  };
}

/** Whether the partition still has what was recorded at this time. */
async function keeps(
  { partition, low, high }: OffsetRange,
  at: number,
  { fetcher, topic }: PlanDeps,
): Promise<boolean> {
  if (high === low) return false;
  const { messages } = await fetcher.fetch({ topic, partition }, low);
  const [first] = messages;
  return first !== undefined && Number(first.timestamp) <= at;
}

async function offsetAt(timeMs: number, wanted: number, { admin, topic }: PlanDeps): Promise<number | undefined> {
  const found = await admin.fetchTopicOffsetsByTimestamp(topic, timeMs);
  const offset = found.find(({ partition }) => partition === wanted)?.offset;
  return offset === undefined ? undefined : Number(offset);
}
