// The messages that an import writes to the camera-log: those of the file, and before them what a fold of the original
// log knew when each segment began.

import type { IHeaders } from "kafkajs";
import { evolveZone, type ZoneEvent } from "../../../projections/catalog/zones.ts";
import type { CameraLogEvent, Zone } from "../../../schemas/events.ts";
import { COPIED_FROM, headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import type { SegmentPlace, StretchFile } from "../../recorded/stretch/read-stretch.ts";
import { fromHeaders, type StretchRecord } from "../../recorded/stretch/schema.ts";
import { sourceOfMessage } from "../../recorded/stretch/verification.ts";
import { mergedRecords, type PlacedRecord } from "./merged-records.ts";

export interface ImportMessage {
  /** Partition of the original log. */
  readonly partition: number;
  /** Offset of the original message; undefined for a message that the import adds. */
  readonly offset: number | undefined;
  /** Broker time, ms. */
  readonly recordedAt: number;
  /** The data sources whose partitions get the message. */
  readonly dataSourceIds: readonly string[];
  readonly key: Buffer | string | null;
  readonly headers: IHeaders;
  readonly message: CameraLogEvent;
}

const SOURCE = "tracklog/log";

/** Yields the messages in the order of their broker times. */
export async function* importMessages(
  file: Pick<StretchFile, "metadata" | "segments" | "segmentRecords">,
): AsyncGenerator<ImportMessage, void> {
  const { logId } = file.metadata;
  /** Zones by id, as they are in the log that is written. */
  const zones = new Map<string, Zone>();
  /** Zones with which segments begin, until their first other record. */
  const beginnings = new Map<SegmentPlace, { readonly record: StretchRecord; readonly zones: Map<string, Zone> }>();

  const added = (message: CameraLogEvent, { partition, recordedAt, offset }: StretchRecord, subject: string) => {
    const id = derivedId("log-import", logId, `${partition}/${offset}`, message.type, subject);
    const headers = headersOf({ id, type: message.type, source: SOURCE, timeMs: recordedAt });
    const key = sourceOfMessage(message) ?? "";
    return { partition, offset: undefined, recordedAt, dataSourceIds: [key], key, headers, message };
  };

  function* begin(place: SegmentPlace): Generator<ImportMessage> {
    const beginning = beginnings.get(place);
    if (beginning === undefined) return;
    beginnings.delete(place);
    for (const message of zoneChanges(zones, beginning.zones, place)) {
      yield added(message, beginning.record, zoneIdOf(message));
    }
  }

  for await (const placed of mergedRecords(file)) {
    const { place, record } = placed;
    if (record.event?.type === "ZoneVersion") {
      const beginning = beginnings.get(place) ?? { record, zones: new Map<string, Zone>() };
      const { zoneId, zone } = record.event.event;
      if (zone !== null) beginning.zones.set(zoneId, zone);
      beginnings.set(place, beginning);
      continue;
    }
    yield* begin(place);
    if (record.kind === "tick") continue;
    const message = record.event as CameraLogEvent;
    followZone(zones, message);
    if (record.kind === "track") yield added(message, record, "trackId" in message.event ? message.event.trackId : "");
    else yield original(message, placed);
  }
  for (const place of beginnings.keys()) yield* begin(place);
}

function original(message: CameraLogEvent, { place, record }: PlacedRecord): ImportMessage {
  const { partition, offset, recordedAt } = record;
  const headers = fromHeaders(record.headers);
  // The outputs of a copy are copied too, but those of an import are derived.
  delete headers[COPIED_FROM];
  const dataSourceId = sourceOfMessage(message);
  const dataSourceIds = dataSourceId === undefined ? place.segment.dataSourceIds : [dataSourceId];
  const key = record.key ?? dataSourceId ?? null;
  return { partition, offset, recordedAt, dataSourceIds, key, headers, message };
}

/** Yields the changes that lead from the known zones of the segment's data sources to the wanted ones. */
function* zoneChanges(
  zones: Map<string, Zone>,
  wanted: ReadonlyMap<string, Zone>,
  { segment: { dataSourceIds, beginAt } }: SegmentPlace,
): Generator<CameraLogEvent> {
  const sources = new Set(dataSourceIds);
  for (const [zoneId, { dataSourceId }] of zones) {
    if (!sources.has(dataSourceId) || wanted.get(zoneId)?.dataSourceId === dataSourceId) continue;
    const event = { zoneId, dataSourceId, deletedAt: beginAt, movedTo: null, ifUpdatedAt: null };
    yield { type: "ZoneDeleted", event };
    zones.delete(zoneId);
  }
  for (const [zoneId, zone] of wanted) {
    const known = zones.get(zoneId);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(zone)) continue;
    const change: CameraLogEvent = known === undefined ? { type: "ZoneCreated", event: { zone } } : changeTo(zone);
    // The fold may give the change a later time than the file has, for a recording by a version that gave two one time.
    if (known?.dataSourceId === zone.dataSourceId) followZone(zones, change);
    else zones.set(zoneId, zone);
    yield change;
  }
}

/** Sets every field of the zone. */
function changeTo({ createdAt: _created, updatedAt, zoneId, dataSourceId, ...set }: Zone): CameraLogEvent {
  return { type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt, ifUpdatedAt: null, set, cleared: [] } };
}

function followZone(zones: Map<string, Zone>, message: CameraLogEvent): void {
  if (!isZoneEvent(message)) return;
  const zoneId = zoneIdOf(message);
  const known = zones.get(zoneId);
  // A zone at another data source is not changed by the message.
  if (known !== undefined && known.dataSourceId !== sourceOfMessage(message)) return;
  const after = evolveZone(known, message);
  if (after === undefined) zones.delete(zoneId);
  else zones.set(zoneId, after);
}

const isZoneEvent = (message: CameraLogEvent): message is ZoneEvent =>
  message.type === "ZoneCreated" || message.type === "ZoneUpdated" || message.type === "ZoneDeleted";

function zoneIdOf({ event }: CameraLogEvent): string {
  if ("zone" in event) return event.zone.zoneId;
  return "zoneId" in event ? event.zoneId : "";
}
