// Finds the stretches of the log that a session needs: the history knows when its tracks were recorded, the broker at which
// offsets that was.
import type { Admin } from "kafkajs";
import { earliestBeside, type TrackExtent, trackExtents } from "../../projections/history/queries/replays.ts";
import type { Asked } from "../../projections/history/queries/run.ts";
import { type Stretched, withoutOverlaps } from "../../projections/replay/overlaps.ts";
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

/** Groups of tracks that were recorded at the same time, so that what lies between them is not waited for. */
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
    trackIds: [...new Set(extents.map(({ trackId }) => trackId))],
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
  const isKept = stretch.log === "topic";
  const begin = isKept ? Math.max(low, (await offsetAt(stretch.beginAt, partition, deps)) ?? low) : 0;
  return { ...stretch, partition, begin, end: high };
}

/** Broker time of the first message that the partition still has. */
async function firstKept({ partition, low, high }: OffsetRange, { fetcher, topic }: PlanDeps): Promise<number> {
  if (high === low) return Number.POSITIVE_INFINITY;
  const { messages } = await fetcher.fetch({ topic, partition }, low);
  const [first] = messages;
  return first === undefined ? Number.POSITIVE_INFINITY : Number(first.timestamp);
}

async function offsetAt(timeMs: number, wanted: number, { admin, topic }: PlanDeps): Promise<number | undefined> {
  const found = await admin.fetchTopicOffsetsByTimestamp(topic, timeMs);
  const offset = found.find(({ partition }) => partition === wanted)?.offset;
  return offset === undefined ? undefined : Number(offset);
}
