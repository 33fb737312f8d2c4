// Checks that a well-formed event must pass before a reader derives anything from it. The API checks its input in the
// same way. The checks are pure: "now" is the time at which the broker recorded the message, so all readers of the log
// accept the same events. Every detection passes through here, so a check allocates nothing unless it finds a flaw.

import { countVertices, type EventBounds } from "./bounds.ts";
import { checkCrs, checkId, checkTextLength, checkTrackTexts } from "./check-texts.ts";
import { checkTime } from "./check-times.ts";
import { unreachable } from "./errors.ts";
import type { CameraLogEvent, Detection, GeoPosition, Polygon, Zone, ZoneUpdated } from "./events.ts";
import { type Flaw, flaw, orNone, under } from "./flaw.ts";
import { limits } from "./limits.ts";

/** The smallest ring is a triangle, closed. */
const MIN_POINTS = 4;
const COORDINATE_BOUND = `a coordinate lies between -${limits.maxCoordinate} and ${limits.maxCoordinate}`;

/**
 * Checks an event, but not the detections of DetectionsRecorded: they are independent of one another, so readers check
 * each with checkDetection.
 */
export function checkEvent(message: CameraLogEvent, recordedAt: number, bounds: EventBounds): Flaw | undefined {
  const latest = latestAt(recordedAt, bounds);
  switch (message.type) {
    case "TrackCreated":
    case "TrackUpdated": {
      const track = message.event;
      return (
        checkTrackTexts(track) ??
        under("startTime", checkTime(track.startTime, latest)) ??
        under("endTime", checkTime(track.endTime, latest)) ??
        under("metadata", checkMetadata(track.metadata)) ??
        under("detections", checkDetections(track.detections, recordedAt, bounds))
      );
    }
    case "TrackExpired":
      return (
        under("trackId", checkId(message.event.trackId)) ??
        under("dataSourceId", checkId(message.event.dataSourceId)) ??
        under("endTime", checkTime(message.event.endTime, latest))
      );
    case "DetectionsRecorded":
      return under("dataSourceId", checkId(message.event.dataSourceId));
    case "ZoneCreated":
      return under("zone", checkZone(message.event.zone, bounds));
    case "ZoneUpdated":
      return checkZoneUpdate(message.event, bounds);
    case "ZoneDeleted":
      return (
        under("zoneId", checkId(message.event.zoneId)) ??
        under("dataSourceId", checkId(message.event.dataSourceId)) ??
        under("movedTo", orNone(message.event.movedTo, checkId))
      );
    case "GeofencesAdvanced":
      return Number.isSafeInteger(message.event.upTo) ? undefined : flaw("not an offset", "upTo");
    default:
      return unreachable(message);
  }
}

/** Checks one detection. `recordedAt` is the broker's time of its message. */
export function checkDetection(detection: Detection, recordedAt: number, bounds: EventBounds): Flaw | undefined {
  const { polygon, position, direction } = detection;
  return (
    under("trackId", checkId(detection.trackId)) ??
    under("timestamp", checkTime(detection.timestamp, latestAt(recordedAt, bounds))) ??
    (polygon === null ? undefined : under("polygon", checkPolygon(polygon, bounds.maxDetectionVertices))) ??
    (position === null ? undefined : under("position", checkPosition(position))) ??
    (direction === null ? undefined : under("direction", checkDirection(direction))) ??
    under("metadata", checkMetadata(detection.metadata))
  );
}

/** The last instant that a message recorded at this time may contain. */
export const latestAt = (recordedAt: number, { maxFutureMs }: EventBounds): number => recordedAt + maxFutureMs;

/** Checks flat rings, as an event has them. The flaw's path names the ring, then the point. */
export function checkRings(rings: Polygon["rings"]): Flaw | undefined {
  if (rings.length === 0) return flaw("a polygon has at least one ring");
  for (let i = 0; i < rings.length; i++) {
    const found = checkRing(rings[i] ?? []);
    if (found !== undefined) return under(i, found);
  }
  return undefined;
}

export function checkCoordinate(value: number): Flaw | undefined {
  if (Math.abs(value) <= limits.maxCoordinate) return undefined;
  return flaw(Number.isFinite(value) ? COORDINATE_BOUND : "not a finite number");
}

export function checkPosition(position: GeoPosition): Flaw | undefined {
  const { longitude, latitude, altitude } = position;
  if (!(longitude >= -180 && longitude <= 180)) return flaw("longitude outside -180 to 180", "longitude");
  if (!(latitude >= -90 && latitude <= 90)) return flaw("latitude outside -90 to 90", "latitude");
  if (altitude !== null && !Number.isFinite(altitude)) return flaw("altitude is not a finite number", "altitude");
  return checkCrs(position);
}

export const checkDirection = (direction: number): Flaw | undefined =>
  Number.isFinite(direction) ? undefined : flaw("direction is not a finite number");

export const checkMetadataSize = (metadata: string): Flaw | undefined =>
  Buffer.byteLength(metadata) <= limits.maxMetadataBytes
    ? undefined
    : flaw(`more than ${limits.maxMetadataBytes} bytes`);

function checkDetections(detections: readonly Detection[], recordedAt: number, bounds: EventBounds): Flaw | undefined {
  for (let i = 0; i < detections.length; i++) {
    const detection = detections[i];
    const found = detection === undefined ? undefined : checkDetection(detection, recordedAt, bounds);
    if (found !== undefined) return under(i, found);
  }
  return undefined;
}

const checkZone = ({ zoneId, dataSourceId, name, polygon }: Zone, { maxZoneVertices }: EventBounds) =>
  under("zoneId", checkId(zoneId)) ??
  under("dataSourceId", checkId(dataSourceId)) ??
  under("name", checkTextLength(name)) ??
  under("polygon", checkPolygon(polygon, maxZoneVertices));

const checkZoneUpdate = ({ zoneId, dataSourceId, set }: ZoneUpdated, { maxZoneVertices }: EventBounds) =>
  under("zoneId", checkId(zoneId)) ??
  under("dataSourceId", checkId(dataSourceId)) ??
  under("set", under("name", orNone(set.name, checkTextLength))) ??
  (set.polygon === null ? undefined : under("set", under("polygon", checkPolygon(set.polygon, maxZoneVertices))));

const checkPolygon = (polygon: Polygon, maxVertices: number): Flaw | undefined =>
  countVertices(polygon.rings) > maxVertices
    ? flaw(`more than ${maxVertices} vertices`)
    : (under("rings", checkRings(polygon.rings)) ?? checkCrs(polygon));

function checkRing(ring: readonly number[]): Flaw | undefined {
  const { length } = ring;
  if (length < MIN_POINTS * 2 || length % 2 !== 0) return flaw("a ring needs four or more points");
  for (let i = 0; i < length; i++) {
    const found = checkCoordinate(ring[i] ?? Number.NaN);
    if (found !== undefined) return under(i >> 1, found);
  }
  if (ring[0] === ring[length - 2] && ring[1] === ring[length - 1]) return undefined;
  return flaw("the ring is not closed: its last point must equal its first");
}

export function checkMetadata(metadata: string | null): Flaw | undefined {
  if (metadata === null) return undefined;
  const tooLarge = checkMetadataSize(metadata);
  if (tooLarge !== undefined) return tooLarge;
  try {
    JSON.parse(metadata);
    return undefined;
  } catch {
    return flaw("not JSON");
  }
}
