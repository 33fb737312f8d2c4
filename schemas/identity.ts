// Deterministic identities (RFC 9562 UUIDv5): the same facts always give the same id.
import { hash } from "node:crypto";

/** UUIDv5 namespace of tracklog. A change would give every derived object a new identity. */
export const NAMESPACE = Buffer.from("6e5a3c0e5d0f5c0b9a633f6b2f6d7a11", "hex");

const SEPARATOR = "\u0000";

/** Times in ids are written as `2026-01-01T00:00:00.000Z`. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

const scratch = Buffer.alloc(1_024);
NAMESPACE.copy(scratch);

const intoScratch = (name: string): Buffer =>
  scratch.subarray(0, NAMESPACE.length + scratch.write(name, NAMESPACE.length));

/** RFC 9562 section 5.5. Written by hand: the library takes six times as long, and every detection needs an id. */
export function derivedId(...parts: readonly string[]): string {
  const name = parts.join(SEPARATOR);
  // At most three bytes for each UTF-16 unit.
  const fits = NAMESPACE.length + name.length * 3 <= scratch.length;
  const sha1 = hash("sha1", fits ? intoScratch(name) : Buffer.concat([NAMESPACE, Buffer.from(name)]), "hex");
  const variant = ((Number.parseInt(sha1.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const groups = [sha1.slice(0, 8), sha1.slice(8, 12), `5${sha1.slice(13, 16)}`, `${variant}${sha1.slice(17, 20)}`];
  return `${groups.join("-")}-${sha1.slice(20, 32)}`;
}

export const detectionId = (trackId: string, timestamp: number): string =>
  derivedId("detection", trackId, isoTime(timestamp));

export const measurementId = (sensorId: string, timestamp: number, value: string): string =>
  derivedId("measurement", sensorId, isoTime(timestamp), value);

/** `sha256`: of its bytes. */
export const imageId = (sha256: string, dataSourceId: string | null, timestamp: number | null): string =>
  derivedId("image", sha256, dataSourceId ?? "", timestamp === null ? "" : isoTime(timestamp));

export const geofenceIntersectionId = (trackId: string, geofenceId: string, startTime: number): string =>
  derivedId("geofence-intersection", trackId, geofenceId, isoTime(startTime));

export const snapshotId = (dataSourceId: string, timestamp: number): string =>
  derivedId("snapshot", dataSourceId, isoTime(timestamp));

export const clipId = (dataSourceId: string, startTime: number, endTime: number): string =>
  derivedId("clip", dataSourceId, isoTime(startTime), isoTime(endTime));

export const intersectionId = (trackId: string, zoneId: string, startTime: number): string =>
  derivedId("zone-intersection", trackId, zoneId, isoTime(startTime));
