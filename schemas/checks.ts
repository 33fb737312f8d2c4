// What a well-formed event must also satisfy before anything is derived from it. Pure: "now" is the time at which the
// broker recorded the message, so every reader of the log comes to the same verdict.
import type { CameraLogEvent, Detection, Polygon } from "./events.ts";

export const limits = {
  /** A timestamp further than this beyond the time of recording is refused: it would end every track of a camera. */
  maxFutureMs: 5 * 60_000,
  /** 9999-12-31T23:59:59.999Z, the last instant that ISO 8601 writes with four digits of year. */
  maxTimestampMs: 253_402_300_799_999,
  maxVertices: 10_000,
  maxMetadataBytes: 64 * 1024,
  maxIdLength: 255,
  maxTextLength: 1_024,
} as const;

/** undefined = fine; else the reason, beginning with the path of the field at fault. */
export function checkEvent(message: CameraLogEvent, recordedAt: number, maxFutureMs: number): string | undefined {
  const latest = recordedAt + maxFutureMs;
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
        checkDetections(track.detections, latest)
      );
    }
    case "TrackEnded":
      return checkId("trackId", message.event.trackId) ?? checkTime("endTime", message.event.endTime, latest);
    case "DetectionsRecorded":
      return checkId("dataSourceId", message.event.dataSourceId) ?? checkDetections(message.event.detections, latest);
    case "ZoneCreated":
    case "ZoneUpdated":
      return (
        checkId("zone.zoneId", message.event.zone.zoneId) ?? checkPolygon("zone.polygon", message.event.zone.polygon)
      );
    case "ZoneDeleted":
      return checkId("zoneId", message.event.zoneId);
    default:
      return unreachable(message);
  }
}

function checkDetections(detections: readonly Detection[], latest: number): string | undefined {
  for (let i = 0; i < detections.length; i++) {
    const detection = detections[i];
    if (detection === undefined) continue;
    const reason =
      checkId("trackId", detection.trackId) ??
      checkTime("timestamp", detection.timestamp, latest) ??
      checkPolygon("polygon", detection.polygon) ??
      checkPosition(detection) ??
      checkMetadata("metadata", detection.metadata);
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

function checkPolygon(path: string, polygon: Polygon | null): string | undefined {
  if (polygon === null) return undefined;
  let vertices = 0;
  if (polygon.rings.length === 0) return `${path}: no ring`;
  for (const ring of polygon.rings) {
    vertices += ring.length / 2;
    if (ring.length < 8 || ring.length % 2 !== 0) return `${path}: a ring needs four or more points`;
    if (vertices > limits.maxVertices) return `${path}: more than ${limits.maxVertices} vertices`;
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
