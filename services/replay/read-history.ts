// The events of a segment that the log has forgotten, as far as the history knows them: each track with its last tag and
// start, then its detections, then its end. When exactly a track ended is not in the history: here an
// expired one ends the time to live after its last detection, and one with an explicit end at once.
import {
  detectionsInOrder,
  headersOf,
  offsetsOf,
  type Portion,
  type PortionAsked,
  type StoredDetection,
  type StoredHeader,
} from "../../projections/history/queries/replays.ts";
import type { Asked } from "../../projections/history/queries/run.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent, Detection } from "../../schemas/events.ts";
import type { Log } from "../common/log.ts";
import type { HistoryRoom, Place } from "./history-room.ts";
import type { WrittenVersion } from "./read-zones.ts";
import { whileAway } from "./while-away.ts";

export interface ReadHistoryDeps {
  readonly history: Asked;
  /** How much of it may be held at a time, of all segments together. */
  readonly historyRoom: HistoryRoom;
  /** The versions of the zones after its beginning, in the order of the topic. */
  readonly nextZone: () => Promise<WrittenVersion | undefined>;
  readonly trackTtlMs: number;
  /** How far before the asked tracks to begin, in event time. */
  readonly warmUpMs: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const PORTION = 5_000;
/** Offsets of the first portion; the next ones follow from how much was found in those before. */
const FIRST_WIDTH = 1_000;

export async function* readHistory(segment: Segment, deps: ReadHistoryDeps): AsyncGenerator<RecordedEvent, void> {
  const { trackTtlMs } = deps;
  /** By due time, because detections come in the order of recording. */
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
      const track = tracks.get(trackId);
      if (track === undefined || track.isBegun) continue;
      // Again in each portion that has it: the fold knows it by then, unless it has forgotten it.
      track.isBegun = true;
      yield { offset, recordedAt, message: creation(track.header) };
    }
    yield { offset, recordedAt, message: { type: "DetectionsRecorded", event: { dataSourceId, detections } } };
    for (const { trackId, timestamp } of detections) {
      const header = tracks.get(trackId)?.header;
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
  /** Those of the portion, by id. */
  readonly tracks: Tracks;
}

type Tracks = ReadonlyMap<string, { readonly header: StoredHeader; isBegun: boolean }>;

/** Holds a portion at a time, and what is known of its tracks: a camera may have millions. */
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
  const place = deps.historyRoom.open();
  try {
    yield* portionsIn(place, segment, deps);
  } finally {
    place.close();
  }
}

/** Asks for a stretch of offsets at a time, so that no portion costs the store a read of the whole segment. */
async function* portionsIn(
  place: Place,
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
    const asked: PortionAsked = { ...window, offsets, after, limit: PORTION, bytes: place.next() };
    const { detections, isCut }: Portion = await whileAway(() => detectionsInOrder(history, asked), { log, signal });
    if (detections.length > 0) yield detections;
    after = isCut ? detections.at(-1) : undefined;
    // As wide as was enough now, or wider until it is too wide: the log may have long stretches of other cameras.
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
  const found = await whileAway(() => headersOf(history, dataSourceIds, [...ids]), { log, signal });
  return new Map(found.map((header) => [header.trackId, { header, isBegun: false }]));
}

const unsaid = { endTime: null, properties: null, metadata: null, detections: [] };

const creation = ({ trackId, dataSourceId, tag, startTime }: StoredHeader): CameraLogEvent => ({
  type: "TrackCreated",
  event: { ...unsaid, trackId, dataSourceId, tag, startTime, modelId: null },
});

/** The end that the state machine writes is the last detection. One that a sender gave as exactly that counts as such, too. */
const isExpired = ({ endTime, lastAt }: StoredHeader): boolean => endTime === lastAt;

function ending(header: StoredHeader): CameraLogEvent {
  const { trackId, dataSourceId, endTime } = header;
  if (endTime !== null && isExpired(header)) {
    return { type: "TrackExpired", event: { trackId, dataSourceId, endTime, reason: "expired", readUpTo: null } };
  }
  return {
    type: "TrackUpdated",
    event: { ...unsaid, trackId, dataSourceId, tag: null, startTime: null, cleared: [], endTime },
  };
}

function zoneMessages({ zone, zoneId, dataSourceId, movedTo, writtenAt }: WrittenVersion): CameraLogEvent[] {
  if (zone === null) return [{ type: "ZoneDeleted", event: { zoneId, dataSourceId, deletedAt: writtenAt, movedTo } }];
  const { createdAt: _created, updatedAt, zoneId: _id, dataSourceId: _source, ...set } = zone;
  // Of the two, the fold takes the one that fits.
  return [
    { type: "ZoneCreated", event: { zone } },
    { type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt, set, cleared: [] } },
  ];
}
