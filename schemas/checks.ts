// What a well-formed event must also satisfy before anything is derived from it. Pure: "now" is the time at which the
// broker recorded the message, so every reader of the log comes to the same verdict.
import { countVertices, type EventBounds } from "./bounds.ts";
import type { CameraLogEvent, Detection, Polygon } from "./events.ts";

export const limits = {
  /** 9999-12-31T23:59:59.999Z, the last instant that ISO 8601 writes with four digits of year. */
  maxTimestampMs: 253_402_300_799_999,
  maxMetadataBytes: 64 * 1024,
  /** Asked of callers only: below the depth at which one process can still write what another one could. */
  maxMetadataDepth: 100,
  maxIdLength: 255,
  maxTextLength: 1_024,
} as const;

/**
 * undefined = fine; else the reason, beginning with the path of the field at fault. The detections of DetectionsRecorded
 * have nothing to do with each other: checkDetection judges each by itself.
 */
export function checkEvent(message: CameraLogEvent, recordedAt: number, bounds: EventBounds): string | undefined {
  const latest = latestAt(recordedAt, bounds);
  switch (message.type) {
    case "TrackCreated":
    case "TrackUpdated": {
      const track = message.event;
      return (
        checkId("trackId", track.trackId) ??
        checkId("dataSourceId", track.dataSourceId) ??
        checkTime("startTime", track.startTime, latest) ??
        checkTime("endTime", track.endTime, latest) ??
        checkMetadata("metadata", track.metadata) ??
        checkDetections(track.detections, recordedAt, bounds)
      );
    }
    case "TrackExpired":
      return checkId("trackId", message.event.trackId) ?? checkTime("endTime", message.event.endTime, latest);
    case "DetectionsRecorded":
      return checkId("dataSourceId", message.event.dataSourceId);
    case "ZoneCreated":
    case "ZoneUpdated":
      return (
        checkId("zone.zoneId", message.event.zone.zoneId) ??
        checkPolygon("zone.polygon", message.event.zone.polygon, bounds.maxZoneVertices)
      );
    case "ZoneDeleted":
      return checkId("zoneId", message.event.zoneId);
    default:
      return unreachable(message);
  }
}

/** The same for one detection, recorded in a message at that time. */
export function checkDetection(detection: Detection, recordedAt: number, bounds: EventBounds): string | undefined {
  return (
    checkId("trackId", detection.trackId) ??
    checkTime("timestamp", detection.timestamp, latestAt(recordedAt, bounds)) ??
    checkPolygon("polygon", detection.polygon, bounds.maxDetectionVertices) ??
    checkPosition(detection) ??
    checkMetadata("metadata", detection.metadata)
  );
}

/** The last instant that a message recorded at that time may speak of. */
export const latestAt = (recordedAt: number, { maxFutureMs }: EventBounds): number => recordedAt + maxFutureMs;

function checkDetections(detections: readonly Detection[], recordedAt: number, bounds: EventBounds) {
  for (let i = 0; i < detections.length; i++) {
    const detection = detections[i];
    const reason = detection === undefined ? undefined : checkDetection(detection, recordedAt, bounds);
    if (reason !== undefined) return `detections.${i}.${reason}`;
  }
  return undefined;
}

function checkId(path: string, id: string): string | undefined {
  return id.length > 0 && id.length <= limits.maxIdLength
    ? undefined
    : `${path}: 1 to ${limits.maxIdLength} characters`;
}

function checkTime(path: string, time: number | null, latest: number): string | undefined {
  if (time === null) return undefined;
  if (!Number.isInteger(time) || Math.abs(time) > limits.maxTimestampMs) return `${path}: outside the calendar`;
  return time <= latest ? undefined : `${path}: too far in the future`;
}

function checkPolygon(path: string, polygon: Polygon | null, maxVertices: number): string | undefined {
  if (polygon === null) return undefined;
  if (countVertices(polygon.rings) > maxVertices) return `${path}: more than ${maxVertices} vertices`;
  if (polygon.rings.length === 0) return `${path}: no ring`;
  for (const ring of polygon.rings) {
    if (ring.length < 8 || ring.length % 2 !== 0) return `${path}: a ring needs four or more points`;
    for (let i = 0; i < ring.length; i++) if (!Number.isFinite(ring[i])) return `${path}: not a finite number`;
    if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1]) return `${path}: ring is not closed`;
  }
  return undefined;
}

function checkPosition({ position, direction }: Detection): string | undefined {
  if (direction !== null && !Number.isFinite(direction)) return "direction: not a finite number";
  if (position === null) return undefined;
  const { longitude, latitude, altitude } = position;
  if (!(longitude >= -180 && longitude <= 180)) return "position: longitude outside -180 to 180";
  if (!(latitude >= -90 && latitude <= 90)) return "position: latitude outside -90 to 90";
  return altitude === null || Number.isFinite(altitude) ? undefined : "position: altitude is not a finite number";
}

function checkMetadata(path: string, metadata: string | null): string | undefined {
  if (metadata === null) return undefined;
  if (Buffer.byteLength(metadata) > limits.maxMetadataBytes)
    return `${path}: more than ${limits.maxMetadataBytes} bytes`;
  try {
    JSON.parse(metadata);
    return undefined;
  } catch {
    return `${path}: not JSON`;
  }
}

function unreachable(message: never): never {
  throw new Error(`unknown event ${JSON.stringify(message)}`);
}
