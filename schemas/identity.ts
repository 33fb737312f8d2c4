// Deterministic identities (RFC 9562 UUIDv5): the same facts always give the same id.
import { hash } from "node:crypto";
import { MINUTE_MS } from "./units.ts";

/** UUIDv5 namespace of tracklog. A change would give every derived object a new identity. */
export const NAMESPACE = Buffer.from("6e5a3c0e5d0f5c0b9a633f6b2f6d7a11", "hex");

const SEPARATOR = "\u0000";

const REMEMBERED_MINUTES = 10_000;
/** The last instant that a Date can have. */
const LAST_MS = 8.64e15;
const minutes = new Map<number, string>();
/** The detections of a frame have the same time. */
let last = { ms: Number.NaN, text: "" };

/**
 * The time as ids contain it: `2026-01-01T00:00:00.000Z`. The text up to the minute is cached: most times are in a few
 * minutes, and `toISOString` takes ten times as long as the rest.
 */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: toIso(ms) };
  return last.text;
}

function toIso(ms: number): string {
  const whole = Math.trunc(ms);
  if (!(Math.abs(whole) <= LAST_MS)) throw new RangeError(`${ms} is no time`);
  const minute = Math.floor(whole / MINUTE_MS);
  const rest = whole - minute * MINUTE_MS;
  const seconds = Math.floor(rest / 1_000);
  const upToMinute = minutes.get(minute) ?? rememberMinute(whole, minute);
  return `${upToMinute}${String(seconds).padStart(2, "0")}.${String(rest - seconds * 1_000).padStart(3, "0")}Z`;
}

export const isoOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : isoTime(ms));

function rememberMinute(ms: number, minute: number): string {
  const upToMinute = new Date(ms).toISOString().slice(0, -"00.000Z".length);
  if (minutes.size >= REMEMBERED_MINUTES) minutes.clear();
  minutes.set(minute, upToMinute);
  return upToMinute;
}

const scratch = Buffer.alloc(1_024);
NAMESPACE.copy(scratch);

const intoScratch = (name: string): Buffer =>
  scratch.subarray(0, NAMESPACE.length + scratch.write(name, NAMESPACE.length));

/** The digits with the bits 10 in front. */
const VARIANTS = "89ab";

/**
 * UUIDv5, RFC 9562 section 5.5. Written by hand: the library takes six times as long, and every detection needs an id.
 */
export function derivedId(...parts: readonly string[]): string {
  const name = parts.join(SEPARATOR);
  // UTF-8 has at most three bytes for each UTF-16 unit.
  const fits = NAMESPACE.length + name.length * 3 <= scratch.length;
  const sha1 = hash("sha1", fits ? intoScratch(name) : Buffer.concat([NAMESPACE, Buffer.from(name)]), "hex");
  const variant = VARIANTS.charAt(Number.parseInt(sha1.charAt(16), 16) & 0x3);
  return `${sha1.slice(0, 8)}-${sha1.slice(8, 12)}-5${sha1.slice(13, 16)}-${variant}${sha1.slice(17, 20)}-${sha1.slice(20, 32)}`;
}

/**
 * The id contains the data source, because two data sources may give tracks the same id and detect them at the same
 * millisecond.
 */
export const detectionId = (dataSourceId: string, trackId: string, timestamp: number): string =>
  derivedId("detection", dataSourceId, trackId, isoTime(timestamp));

export const measurementId = (sensorId: string, timestamp: number, value: string): string =>
  derivedId("measurement", sensorId, isoTime(timestamp), value);

/** `sha256` is the digest of the image's bytes. */
export const imageId = (sha256: string, dataSourceId: string | null, timestamp: number | null): string =>
  derivedId("image", sha256, dataSourceId ?? "", timestamp === null ? "" : isoTime(timestamp));

/**
 * The id contains the data source, unlike the id of an intersection with a zone: a geofence has no data source, and two
 * data sources may give tracks the same id.
 */
export const geofenceIntersectionId = (
  dataSourceId: string,
  trackId: string,
  geofenceId: string,
  startTime: number,
): string => derivedId("geofence-intersection", dataSourceId, trackId, geofenceId, isoTime(startTime));

export const snapshotId = (dataSourceId: string, timestamp: number): string =>
  derivedId("snapshot", dataSourceId, isoTime(timestamp));

export const clipId = (dataSourceId: string, startTime: number, endTime: number): string =>
  derivedId("clip", dataSourceId, isoTime(startTime), isoTime(endTime));

export const intersectionId = (trackId: string, zoneId: string, startTime: number): string =>
  derivedId("zone-intersection", trackId, zoneId, isoTime(startTime));
