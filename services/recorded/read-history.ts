// Derives the events of a segment that the log no longer has from the history: each track with its last tag and start,
// then its detections, then its end. The history does not have the exact time of an end. So an expired track ends here
// when `trackTtlMs` have passed since its last detection, and a track with an explicit end ends at once.
import { type StoredHeader, trackHeadersOf } from "../../projections/history/queries/replay-headers.ts";
import {
  detectionsInOrder,
  offsetsOf,
  type Portion,
  type PortionRequest,
  type StoredDetection,
} from "../../projections/history/queries/replays.ts";
import type { QueryClient } from "../../projections/history/queries/run.ts";
import { trackKeyOf } from "../../projections/history/queries/track-refs.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent, Detection } from "../../schemas/events.ts";
import type { Log } from "../common/log.ts";
import type { HistoryBudget, HistoryReservation } from "./history-budget.ts";
import type { WrittenVersion } from "./read-zones.ts";
import { creationOf } from "./tracks-from-before.ts";
import { whileAway } from "./while-away.ts";

export interface ReadHistoryDeps {
  readonly history: QueryClient;
  /** Bytes of the history that all segments together may hold. */
  readonly historyBudget: HistoryBudget;
  /** Returns the next version of a zone after the beginning of the segment, in the order of the topic. */
  readonly nextZone: () => Promise<WrittenVersion | undefined>;
  readonly trackTtlMs: number;
  /** How far before the requested tracks the reading begins, in ms of event time. */
  readonly warmUpMs: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const PORTION = 5_000;
/** Offsets of the first portion; the width of the next ones depends on the number of rows found before. */
const FIRST_WIDTH = 1_000;

export async function* readHistory(segment: Segment, deps: ReadHistoryDeps): AsyncGenerator<RecordedEvent, void> {
  const { trackTtlMs } = deps;
  /** Sorted by due time, because detections come in the order of recording. */
  const ends: { readonly dueAt: number; readonly message: CameraLogEvent }[] = [];
  let nextZone = await deps.nextZone();
  let offset = segment.begin;

  async function* until(recordedAt: number): AsyncGenerator<RecordedEvent, void> {
    for (; nextZone !== undefined && nextZone.writtenAt <= recordedAt; nextZone = await deps.nextZone()) {
      const { writtenAt } = nextZone;
      for (const message of zoneMessages(nextZone)) yield { offset, recordedAt: writtenAt, message };
    }
    for (let [end] = ends; end !== undefined && end.dueAt < recordedAt; [end] = ends) {
      ends.shift();
      yield { offset, recordedAt: end.dueAt, message: end.message };
    }
  }

  for await (const message of messagesOf(segment, deps)) {
    const { recordedAt, dataSourceId, detections, tracks } = message;
    yield* until(recordedAt);
    offset = message.offset;
    for (const { trackId } of detections) {
      const track = tracks.get(trackKeyOf({ dataSourceId, trackId }));
      if (track === undefined || track.isBegun) continue;
      // Each portion creates its tracks once more. That changes nothing, unless the fold has forgotten the track.
      track.isBegun = true;
      yield { offset, recordedAt, message: creationOf(track.header) };
    }
    yield { offset, recordedAt, message: { type: "DetectionsRecorded", event: { dataSourceId, detections } } };
    for (const { trackId, timestamp } of detections) {
      const header = tracks.get(trackKeyOf({ dataSourceId, trackId }))?.header;
      if (header === undefined || header.lastAt !== timestamp || header.endTime === null) continue;
      if (isExpired(header)) ends.push({ dueAt: recordedAt + trackTtlMs, message: ending(header) });
      else yield { offset, recordedAt, message: ending(header) };
    }
  }
  yield* until(Number.POSITIVE_INFINITY);
}

interface StoredMessage {
  readonly offset: number;
  readonly recordedAt: number;
  readonly dataSourceId: string;
  readonly detections: readonly Detection[];
  /** Tracks of the portion, by `trackKeyOf`. */
  readonly tracks: Tracks;
}

type Tracks = ReadonlyMap<string, { readonly header: StoredHeader; isBegun: boolean }>;

/** Holds one portion at a time, and the data of its tracks: a camera may have millions of tracks. */
async function* messagesOf(segment: Segment, deps: ReadHistoryDeps): AsyncGenerator<StoredMessage, void> {
  let open: StoredDetection[] = [];
  let tracks: Tracks = new Map();
  for await (const rows of portionsOf(segment, deps)) {
    tracks = await tracksOf(segment, [...open, ...rows], deps);
    for (const row of rows) {
      if (open[0] !== undefined && !isSameMessage(open[0], row)) {
        yield* messageOf(open, tracks);
        open = [];
      }
      open.push(row);
    }
  }
  yield* messageOf(open, tracks);
}

const isSameMessage = (a: StoredDetection, b: StoredDetection): boolean =>
  a.offset === b.offset && a.dataSourceId === b.dataSourceId;

function* messageOf(rows: readonly StoredDetection[], tracks: Tracks): Generator<StoredMessage, void> {
  const [first] = rows;
  if (first === undefined) return;
  const { offset, recordedAt, dataSourceId } = first;
  yield { offset, recordedAt, dataSourceId, detections: rows.map(({ detection }) => detection), tracks };
}

async function* portionsOf(segment: Segment, deps: ReadHistoryDeps): AsyncGenerator<readonly StoredDetection[], void> {
  const place = deps.historyBudget.open();
  try {
    yield* portionsIn(place, segment, deps);
  } finally {
    place.close();
  }
}

/** Queries one range of offsets at a time, so that no portion makes ClickHouse read the whole segment. */
async function* portionsIn(
  place: HistoryReservation,
  { dataSourceIds, beginAt, eventFrom, eventTo }: Segment,
  { history, warmUpMs, trackTtlMs, log, signal }: ReadHistoryDeps,
): AsyncGenerator<readonly StoredDetection[], void> {
  const window = { dataSourceIds, from: eventFrom - warmUpMs, to: eventTo + trackTtlMs };
  const found = await whileAway(() => offsetsOf(history, window, beginAt), { log, signal });
  if (found === undefined) return;
  let { first } = found;
  let width = FIRST_WIDTH;
  let after: StoredDetection | undefined;
  while (first <= found.last) {
    const offsets = { first, last: first + width - 1 };
    const asked: PortionRequest = { ...window, offsets, after, limit: PORTION, bytes: place.next() };
    const { detections, isCut }: Portion = await whileAway(() => detectionsInOrder(history, asked), { log, signal });
    if (detections.length > 0) yield detections;
    after = isCut ? detections.at(-1) : undefined;
    // The next range is as wide as the part that fitted, or twice as wide when all of it did: the log may have long
    // ranges with other cameras only.
    width = after === undefined ? 2 * width : after.offset - first + 1;
    first = after === undefined ? offsets.last + 1 : after.offset;
  }
}

async function tracksOf(
  { dataSourceIds }: Segment,
  rows: readonly StoredDetection[],
  { history, log, signal }: ReadHistoryDeps,
): Promise<Tracks> {
  const ids = new Set(rows.map(({ detection }) => detection.trackId));
  if (ids.size === 0) return new Map();
  const found = await whileAway(() => trackHeadersOf(history, dataSourceIds, [...ids]), { log, signal });
  return new Map(found.map((header) => [trackKeyOf(header), { header, isBegun: false }]));
}

const unchanged = { endTime: null, properties: null, metadata: null, detections: [] };

/**
 * The end that the state machine writes equals the last detection. An explicit end at exactly that time counts as
 * expired, too.
 */
const isExpired = ({ endTime, lastAt }: StoredHeader): boolean => endTime === lastAt;

function ending(header: StoredHeader): CameraLogEvent {
  const { trackId, dataSourceId, endTime } = header;
  if (endTime !== null && isExpired(header)) {
    return { type: "TrackExpired", event: { trackId, dataSourceId, endTime, reason: "expired", readUpTo: null } };
  }
  return {
    type: "TrackUpdated",
    event: { ...unchanged, trackId, dataSourceId, tag: null, startTime: null, cleared: [], endTime },
  };
}

function zoneMessages({ zone, zoneId, dataSourceId, movedTo, writtenAt }: WrittenVersion): CameraLogEvent[] {
  if (zone === null)
    return [{ type: "ZoneDeleted", event: { zoneId, dataSourceId, deletedAt: writtenAt, movedTo, ifUpdatedAt: null } }];
  const { createdAt: _created, updatedAt, zoneId: _id, dataSourceId: _source, ...set } = zone;
  // A version does not show whether it created or changed the zone. The fold applies the event of the two that fits.
  return [
    { type: "ZoneCreated", event: { zone } },
    { type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt, ifUpdatedAt: null, set, cleared: [] } },
  ];
}
