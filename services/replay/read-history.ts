// The events of a segment that the log has forgotten, as far as the history knows them: each track with its last tag and
// start, then its detections, then its end. When exactly a track ended is not in the history: here an
// expired one ends the time to live after its last detection, and one with an explicit end at once.
import {
  detectionsInOrder,
  headersOf,
  type StoredDetection,
  type StoredHeader,
} from "../../projections/history/queries/replays.ts";
import type { Asked } from "../../projections/history/queries/run.ts";
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent, Detection } from "../../schemas/events.ts";
import type { Log } from "../common/log.ts";
import type { WrittenVersion } from "./known-zones.ts";
import { whileAway } from "./while-away.ts";

export interface ReadHistoryDeps {
  readonly history: Asked;
  /** Later versions of the zones, in the order of the log. */
  readonly zoneChanges: readonly WrittenVersion[];
  readonly trackTtlMs: number;
  /** How far before the asked tracks to begin, in event time. */
  readonly warmUpMs: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const PORTION = 5_000;

export async function* readHistory(segment: Segment, deps: ReadHistoryDeps): AsyncGenerator<RecordedEvent, void> {
  const { zoneChanges, trackTtlMs } = deps;
  const headers = new Map<string, StoredHeader>();
  /** By due time, because detections come in the order of recording. */
  const ends: { readonly dueAt: number; readonly message: CameraLogEvent }[] = [];
  const begun = new Set<string>();
  let nextZone = 0;
  let offset = segment.begin;

  function* until(recordedAt: number): Generator<RecordedEvent, void> {
    for (; ; nextZone++) {
      const version = zoneChanges[nextZone];
      if (version === undefined || version.writtenAt > recordedAt) break;
      for (const message of zoneMessages(version)) yield { offset, recordedAt: version.writtenAt, message };
    }
    for (let [end] = ends; end !== undefined && end.dueAt < recordedAt; [end] = ends) {
      ends.shift();
      yield { offset, recordedAt: end.dueAt, message: end.message };
    }
  }

  for await (const message of messagesOf(segment, headers, deps)) {
    const { recordedAt, dataSourceId, detections } = message;
    yield* until(recordedAt);
    offset = message.offset;
    for (const { trackId } of detections) {
      const header = headers.get(trackId);
      if (header === undefined || begun.has(trackId)) continue;
      begun.add(trackId);
      yield { offset, recordedAt, message: creation(header) };
    }
    yield { offset, recordedAt, message: { type: "DetectionsRecorded", event: { dataSourceId, detections } } };
    for (const { trackId, timestamp } of detections) {
      const header = headers.get(trackId);
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
}

/** `headers` gets those of the tracks so far. */
async function* messagesOf(
  segment: Segment,
  headers: Map<string, StoredHeader>,
  deps: ReadHistoryDeps,
): AsyncGenerator<StoredMessage, void> {
  let open: StoredDetection[] = [];
  let after: StoredDetection | undefined;
  do {
    const rows = await portionOf(segment, after, deps);
    await learnHeaders(segment, rows, headers, deps);
    for (const row of rows) {
      if (open[0] !== undefined && !isSameMessage(open[0], row)) {
        yield* messageOf(open);
        open = [];
      }
      open.push(row);
    }
    after = rows.at(-1);
  } while (after !== undefined);
  yield* messageOf(open);
}

const isSameMessage = (a: StoredDetection, b: StoredDetection): boolean =>
  a.offset === b.offset && a.dataSourceId === b.dataSourceId;

function* messageOf(rows: readonly StoredDetection[]): Generator<StoredMessage, void> {
  const [first] = rows;
  if (first === undefined) return;
  const { offset, recordedAt, dataSourceId } = first;
  yield { offset, recordedAt, dataSourceId, detections: rows.map(({ detection }) => detection) };
}

function portionOf(
  { dataSourceIds, eventFrom, eventTo }: Segment,
  after: StoredDetection | undefined,
  { history, warmUpMs, trackTtlMs, log, signal }: ReadHistoryDeps,
): Promise<StoredDetection[]> {
  const asked = { dataSourceIds, from: eventFrom - warmUpMs, to: eventTo + trackTtlMs, after, limit: PORTION };
  return whileAway(() => detectionsInOrder(history, asked), { log, signal });
}

async function learnHeaders(
  { dataSourceIds }: Segment,
  rows: readonly StoredDetection[],
  headers: Map<string, StoredHeader>,
  { history, log, signal }: ReadHistoryDeps,
): Promise<void> {
  const ids = new Set(rows.map(({ detection }) => detection.trackId).filter((id) => !headers.has(id)));
  if (ids.size === 0) return;
  const found = await whileAway(() => headersOf(history, dataSourceIds, [...ids]), { log, signal });
  for (const header of found) headers.set(header.trackId, header);
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
