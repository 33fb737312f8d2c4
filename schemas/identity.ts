// Deterministic identities (RFC 9562 UUIDv5): what is derived twice from the same facts gets the same id.
import { v5 } from "uuid";

/** UUIDv5 namespace of tracklog; changing it would give every derived thing a new identity. */
const NAMESPACE = "6e5a3c0e-5d0f-5c0b-9a63-3f6b2f6d7a11";

const SEPARATOR = "\u0000";

/** Times in ids are written as `2026-01-01T00:00:00.000Z`. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

export function derivedId(...parts: readonly string[]): string {
  return v5(parts.join(SEPARATOR), NAMESPACE);
}

export const detectionId = (trackId: string, timestamp: number): string =>
  derivedId("detection", trackId, isoTime(timestamp));

export const intersectionId = (trackId: string, zoneId: string, startTime: number): string =>
  derivedId("zone-intersection", trackId, zoneId, isoTime(startTime));
