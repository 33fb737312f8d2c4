// Live state at a moment of the log's clock: the fold of all messages that were recorded until then. The fold begins
// with the oldest track that counts, so it costs as much as that track is old.
import type { Admin } from "kafkajs";
import {
  earliestPresent,
  eventTimesIn,
  lastVisit,
  type MomentTrack,
  recordedAtOf,
  stretchBegin,
  tracksInRange,
  type ZoneVisit,
} from "../../projections/history/queries/moments.ts";
import { trackHeadersOf } from "../../projections/history/queries/replay-headers.ts";
import { parseTrack } from "../../projections/live/stored.ts";
import type { ZoneState } from "../../projections/live/view-types.ts";
import type { TrackTexts } from "../../projections/live/views.ts";
import { createMomentFold, type MomentFold } from "../../projections/replay/fold-moment.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { isSeenLater, seenLast } from "../../projections/track/seen-last.ts";
import { unavailable } from "../../schemas/errors.ts";
import type { Zone } from "../../schemas/events.ts";
import { MINUTE_MS } from "../../schemas/units.ts";
import { type OffsetRange, offsetRanges, offsetsSince } from "../common/kafka/offsets.ts";
import { createPartitionOf } from "../common/kafka/partition-of.ts";
import { growing, untilSo } from "../common/loop.ts";
import { tooHeavy } from "./bounded-runs.ts";
import { findZones } from "./find-zones.ts";
import { firstKept } from "./plan-deps.ts";
import { type ReadMoment, readMoment } from "./read-moment.ts";
import type { ReadDeps } from "./read-segment.ts";
import { readZonesOfMoment } from "./zones-of-moment.ts";

export interface LiveAtDeps extends ReadDeps {
  readonly admin: Admin;
  readonly projectedUpTo: () => Promise<ReadonlyMap<number, number>>;
  /** Returns the data source that has, or had, the zone by all that this process knows. */
  readonly lastSourceOf: (zoneId: string) => string | undefined;
  /** Called after each step of the fold; a promise must be awaited, so that the event loop is not held. */
  readonly pace: () => Promise<void> | undefined;
}

interface FromLog {
  readonly log: Segment["log"];
}

export interface TrackAt extends FromLog {
  readonly texts: TrackTexts;
}

export interface ZoneAt extends FromLog {
  readonly zone: Zone;
  /** Undefined while no track has entered the zone, or the zone moves to another data source. */
  readonly state: ZoneState | undefined;
}

/** A part of one partition's log, up to the moment. */
interface Stretch {
  readonly dataSourceId: string;
  readonly range: OffsetRange;
  readonly beginAt: number;
  readonly at: number;
}

/**
 * Time after which a silent track has surely ended: a running state machine ends it soon after TRACK_TTL, the fold of a
 * later message does so after another minute.
 */
const SURELY_ENDED_MS = 2 * MINUTE_MS;
/** The history is a second behind the log, unless the projector has stopped. */
const BEHIND_MS = 5_000;
const askAgainMs = growing(100, 1_000);
/** Data sources with a track of the asked id at the same time that are folded. With reordering there may be several. */
const MOST_TWINS = 10;
/** Tracks of a data source in memory, 2.3 kB each. */
const MOST_TRACKS = 50_000;

/** @returns undefined when there was no such track. */
export async function trackAt(trackId: string, at: number, deps: LiveAtDeps): Promise<TrackAt | undefined> {
  const { settings, history } = deps;
  const ranges = await offsetRanges(deps.admin, deps.topic);
  await historyReaches(at, ranges, deps);
  const since = at - settings.forgetAfterMs - settings.trackTtlMs - SURELY_ENDED_MS;
  const tracks = seenLastOf(await tracksInRange(history, trackId, { since, at }), settings.reorderMs);
  const found: (TrackAt & { readonly dataSourceId: string; readonly lastSeen: number | null })[] = [];
  for (const track of tracks) {
    const { dataSourceId } = track;
    const folded = await foldTrack({ ...track, trackId }, at, ranges, deps);
    const texts = folded.fold.track(dataSourceId, trackId);
    if (texts !== undefined) found.push({ texts, log: folded.log, ...lastSeenOf(texts, dataSourceId) });
  }
  return seenLast(found, (each) => each);
}

/** @returns undefined when there was no such zone. */
export async function zoneAt(zoneId: string, at: number, deps: LiveAtDeps): Promise<ZoneAt | undefined> {
  const ranges = await offsetRanges(deps.admin, deps.topic);
  // A zone that has moved since is found at its present data source first, and then where it was.
  for (let dataSourceId = deps.lastSourceOf(zoneId); dataSourceId !== undefined; ) {
    const range = rangeOf(dataSourceId, ranges, deps);
    await historyReaches(at, [range], deps);
    const { beginAt, visit } = await beginOfZone({ zoneId, dataSourceId }, at, deps);
    const segment = await segmentOf({ dataSourceId, range, beginAt, at }, deps);
    const { zones, asked } = await readZonesOfMoment(segment, { zoneId, at }, deps);
    if (asked?.zone.dataSourceId === dataSourceId) {
      const { zone, hereSince } = asked;
      const prepare = (fold: MomentFold) => {
        // Before, another zone had this id, or this one was at another data source.
        if (visit !== undefined && visit.recordedAt >= hereSince) fold.visited(zoneId, visit);
      };
      const fold = await foldSegment({ segment, zones, track: undefined }, prepare, deps);
      return { zone, state: fold.zone(zoneId), log: segment.log };
    }
    dataSourceId = asked?.zone.dataSourceId;
  }
  return undefined;
}

/** Returns the tracks that the id may have meant. With reordering, the newest detections of each may still be held. */
function seenLastOf(tracks: readonly MomentTrack[], reorderMs: number): readonly MomentTrack[] {
  const newestFirst = tracks.toSorted((a, b) => (isSeenLater(a, b) ? -1 : 1));
  return newestFirst.slice(0, reorderMs === 0 ? 1 : MOST_TWINS);
}

const lastSeenOf = ({ text }: TrackTexts, dataSourceId: string) => ({
  dataSourceId,
  lastSeen: parseTrack(text).lastSeen,
});

async function foldTrack(
  track: MomentTrack & { readonly trackId: string },
  at: number,
  ranges: readonly OffsetRange[],
  deps: LiveAtDeps,
) {
  const { dataSourceId, trackId, createdAt } = track;
  const { history, settings, warmUpMs } = deps;
  const { trackTtlMs, reorderMs } = settings;
  const isOld = createdAt < at - warmUpMs;
  const begun = isOld ? await stretchBegin(history, track, { at, trackTtlMs, reorderMs }) : undefined;
  const beginAt = begun ?? createdAt;
  const range = rangeOf(dataSourceId, ranges, deps);
  const [known] = readFrom(beginAt, deps) > createdAt ? await trackHeadersOf(history, [dataSourceId], [trackId]) : [];
  // A track without a creation in the log has a header without a tag.
  const header = known?.tag === "" ? undefined : known;
  const asked = { trackId, header, isAlone: reorderMs === 0 };
  const segment = await segmentOf({ dataSourceId, range, beginAt, at }, deps);
  const zones = (await findZones([segment], deps)).take(segment);
  return { fold: await foldSegment({ segment, zones, track: asked }, () => {}, deps), log: segment.log };
}

/** The zone's newest visit counts even if nobody is there any more: its end is the newest update. */
async function beginOfZone(
  { zoneId, dataSourceId }: Pick<Zone, "zoneId" | "dataSourceId">,
  at: number,
  deps: LiveAtDeps,
) {
  const { history, settings, warmUpMs } = deps;
  const since = at - warmUpMs;
  const seenSince = at - settings.trackTtlMs - SURELY_ENDED_MS;
  const [present, visit] = await Promise.all([
    earliestPresent(history, { dataSourceId, since, seenSince, at }),
    lastVisit(history, { zoneId, dataSourceId, at }),
  ]);
  const entered = visit && (await enteredAt(visit, dataSourceId, deps));
  const beginAt = Math.min(at, present ?? at, entered !== undefined && entered >= since ? entered : at);
  return { beginAt, visit };
}

const enteredAt = ({ trackId, enteredAt: timestamp }: ZoneVisit, dataSourceId: string, { history }: LiveAtDeps) =>
  recordedAtOf(history, { dataSourceId, trackId }, timestamp);

async function foldSegment(
  { segment, zones, track }: ReadMoment,
  prepare: (fold: MomentFold) => void,
  deps: LiveAtDeps,
): Promise<MomentFold> {
  const fold = createMomentFold(segment.partition, zones.before, deps.settings);
  prepare(fold);
  const mayHoldSilent = segment.log === "history" && deps.settings.reorderMs > 0;
  for await (const event of readMoment({ segment, zones, track }, deps)) {
    // The history does not have the expiry before a gap. Detections after the gap that are still held do not end the
    // stretch before it.
    if (mayHoldSilent) fold.endSilent(event.recordedAt);
    const steps = fold.fold(event);
    while (steps.next().done !== true) await deps.pace();
    await deps.pace();
    if (fold.trackCount() > MOST_TRACKS) throw tooHeavy("the data source had too many tracks before this time");
  }
  if (segment.log === "history") fold.endSilent(segment.lastAt);
  return fold;
}

/** Held detections depend on the clock of the data source, which its earlier messages have set. */
const readFrom = (beginAt: number, { settings, warmUpMs }: LiveAtDeps): number =>
  settings.reorderMs === 0 ? beginAt : Math.max(0, beginAt - warmUpMs);

async function segmentOf({ dataSourceId, range, beginAt, at }: Stretch, deps: LiveAtDeps): Promise<Segment> {
  const { admin, topic, history } = deps;
  const { partition, low } = range;
  const log = (await firstKept(range, deps)) <= beginAt ? "topic" : "history";
  const asked = { kind: "tracks", tracks: [] } as const;
  const place = { partition, asked, dataSourceIds: [dataSourceId], beginAt, lastAt: at, recorded: [] };
  if (log === "history") {
    const event = (await eventTimesIn(history, dataSourceId, { since: beginAt, at })) ?? { from: 0, to: 0 };
    return { ...place, log, begin: 0, end: range.high, eventFrom: event.from, eventTo: event.to };
  }
  const [begins, ends] = await Promise.all([
    offsetsSince(admin, topic, readFrom(beginAt, deps), [partition]),
    offsetsSince(admin, topic, at + 1, [partition]),
  ]);
  const begin = Math.max(low, begins.get(partition) ?? low);
  return { ...place, log, begin, end: Math.max(begin, ends.get(partition) ?? range.high), eventFrom: 0, eventTo: 0 };
}

/** Resolves when the history has everything that was recorded at `at` or before. */
async function historyReaches(at: number, ranges: readonly OffsetRange[], deps: LiveAtDeps): Promise<void> {
  const filled = ranges.filter(({ low, high }) => high > low).map(({ partition }) => partition);
  const ends = await offsetsSince(deps.admin, deps.topic, at + 1, filled);
  const isThere = async () => {
    const projected = await deps.projectedUpTo();
    return filled.every((partition) => (projected.get(partition) ?? 0) >= (ends.get(partition) ?? 0));
  };
  const options = { pauseMs: askAgainMs, withinMs: BEHIND_MS, signal: deps.signal };
  if (!(await untilSo(isThere, options))) throw unavailable("the history does not have everything of this time yet");
}

function rangeOf(dataSourceId: string, ranges: readonly OffsetRange[], { topic }: LiveAtDeps): OffsetRange {
  const partition = createPartitionOf(new Map([[topic, ranges.length]]))(topic, dataSourceId);
  const range = ranges[partition];
  if (range === undefined) throw new Error(`no partition ${partition} in ${topic}`);
  return range;
}
