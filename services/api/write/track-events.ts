// Events of one track from one mutation. As a rule it is one event, so the mutation is in the log whole or not at all.
// Only an event too large for one message is split, in an order that has the same meaning.
import type { CameraLogEvent, Detection, TrackCreated, TrackUpdated } from "../../../schemas/events.ts";

/** The data source decides the partition. A zone that moves is written for the old and for the new one. */
export type KeyedEvent = CameraLogEvent & { readonly dataSourceId: string };

/**
 * Estimated bytes of the detections in one event. They stay well below the broker's default limit (1 MiB), because the
 * estimate is rough.
 */
const CHUNK_BYTES = 512 * 1024;
const DETECTION_BYTES = 96;

export function createdEvents(track: TrackCreated): KeyedEvent[] {
  const { dataSourceId, trackId } = track;
  const [first = [], ...rest] = chunks(track.detections);
  if (rest.length === 0) return [{ type: "TrackCreated", event: track, dataSourceId }];
  return [
    // The end comes last: a detection after it would open the track again.
    { type: "TrackCreated", event: { ...track, endTime: null, detections: first }, dataSourceId },
    ...rest.map((detections) => recorded(dataSourceId, detections)),
    ...(track.endTime === null ? [] : [ended(trackId, dataSourceId, track.endTime)]),
  ];
}

export function updatedEvents(track: TrackUpdated): KeyedEvent[] {
  const { dataSourceId, trackId } = track;
  const [first = [], ...rest] = chunks(track.detections);
  if (rest.length === 0) return [{ type: "TrackUpdated", event: track, dataSourceId }];
  return [
    { type: "TrackUpdated", event: { ...track, endTime: null, detections: first }, dataSourceId },
    ...rest.map((detections) => recorded(dataSourceId, detections)),
    ...(track.endTime === null ? [] : [ended(trackId, dataSourceId, track.endTime)]),
  ];
}

/** Returns one event, or several if a message would grow too large. */
export function recordedEvents(dataSourceId: string, detections: readonly Detection[]): KeyedEvent[] {
  return chunks(detections).map((chunk) => recorded(dataSourceId, chunk));
}

/** Returns the latest instant in an event that may be too far in the future; -Infinity without any. */
export function newestIn({ type, event }: KeyedEvent): number {
  let newest = Number.NEGATIVE_INFINITY;
  if (type === "TrackCreated" || type === "TrackUpdated") {
    newest = Math.max(event.startTime ?? newest, event.endTime ?? newest);
  }
  if ("detections" in event) for (const { timestamp } of event.detections) newest = Math.max(newest, timestamp);
  return newest;
}

function recorded(dataSourceId: string, detections: readonly Detection[]): KeyedEvent {
  return { type: "DetectionsRecorded", event: { dataSourceId, detections }, dataSourceId };
}

function ended(trackId: string, dataSourceId: string, endTime: number): KeyedEvent {
  const unchanged = { tag: null, startTime: null, properties: null, metadata: null, cleared: [], detections: [] };
  return { type: "TrackUpdated", event: { trackId, dataSourceId, endTime, ...unchanged }, dataSourceId };
}

function chunks(detections: readonly Detection[]): (readonly Detection[])[] {
  let bytes = 0;
  let start = 0;
  const found: (readonly Detection[])[] = [];
  for (let i = 0; i < detections.length; i++) {
    bytes += estimate(detections[i]);
    if (bytes <= CHUNK_BYTES || i === start) continue;
    found.push(detections.slice(start, i));
    start = i;
    bytes = estimate(detections[i]);
  }
  if (start === 0) return [detections];
  found.push(detections.slice(start));
  return found;
}

function estimate(detection: Detection | undefined): number {
  let bytes = DETECTION_BYTES + (detection?.metadata?.length ?? 0) * 3;
  for (const ring of detection?.polygon?.rings ?? []) bytes += ring.length * 8;
  return bytes;
}
