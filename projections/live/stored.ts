// The JSON texts of one track, source and zone. JSON has no NaN: an unknown number is null there.
import type { Detection } from "../../schemas/events.ts";
import { entriesOf } from "./past.ts";
import type { HeldDetection, Intersection, LiveZone, Source, Track } from "./state.ts";

export type StoredIntersection = Omit<Intersection, "zone"> & { readonly zoneId: string; readonly zoneName: string };

type NotStored = "source" | "twins" | "twinAt" | "slot" | "previous" | "next" | "dirty";

export type StoredTrack = Omit<Track, NotStored | "intersections" | "stays" | "past" | "writtenEnd"> & {
  readonly dataSourceId: string;
  readonly intersections: readonly StoredIntersection[];
  /** Undefined in texts of versions without geofences. */
  readonly stays?: Track["stays"];
  /** The listener's slot of the track. The stored name stays `encounters`, because earlier versions wrote it. */
  readonly encounters?: unknown;
  /** Undefined in texts of earlier versions, which have `history` and `sequence` instead. */
  readonly past?: Track["past"];
  /** Undefined when the log has no unread expiry that counts, and in texts of earlier versions. */
  readonly writtenEnd?: number;
} & Stamped;

export type StoredSource = Pick<Source, "dataSourceId" | "clock" | "recordedAt" | "held">;

export type StoredZone = Omit<LiveZone, "shape" | "rank" | "activeTracks" | "slot"> & {
  readonly activeTracks: readonly string[];
  /** The listener's slot of the zone. The stored name stays `compositions`, because earlier versions wrote it. */
  readonly compositions?: unknown;
} & Stamped;

interface Stamped {
  /**
   * Time at which the text was written, ms. The fold does not know it, and texts of earlier versions do not have it.
   */
  readonly appliedAt?: number;
}

/** The text of a track or zone as the store has it. */
export const stamp = (json: string, appliedAt: number): string => `${json.slice(0, -1)},"appliedAt":${appliedAt}}`;

export function storeTrack(track: Track): string {
  const { slot, writtenEnd, lastSeen } = track;
  const end = writtenEnd >= lastSeen ? `,"writtenEnd":${writtenEnd}` : "";
  const encounters = slot === null ? "" : `,"encounters":${JSON.stringify(slot)}`;
  return `${JSON.stringify(storedFields(track)).slice(0, -1)}${end}${encounters}}`;
}

/**
 * Returns the parts of the track's text that views need, without formatting and parsing JSON. The result shares objects
 * with the track.
 */
export function storedTrack(track: Track): StoredTrack {
  const { history, sequence } = track;
  return { ...storedFields(track), history, sequence };
}

function storedFields(track: Track): Omit<StoredTrack, "encounters" | "history" | "sequence" | "writtenEnd"> {
  return {
    trackId: track.trackId,
    dataSourceId: track.source.dataSourceId,
    tag: track.tag,
    phase: track.phase,
    startTime: track.startTime,
    endTime: track.endTime,
    trackEnd: track.trackEnd,
    firstSeen: track.firstSeen,
    lastSeen: track.lastSeen,
    recordedAt: track.recordedAt,
    detections: track.detections,
    x: track.x,
    y: track.y,
    longitude: track.longitude,
    latitude: track.latitude,
    rings: track.rings,
    boxAt: track.boxAt,
    geoAt: track.geoAt,
    motion: track.motion,
    geoMotion: track.geoMotion,
    intersections: track.intersections.map(storedIntersection),
    stays: track.stays,
    past: track.past,
    seenOffset: track.seenOffset,
    seenIndex: track.seenIndex,
    endOwedAt: track.endOwedAt,
    restRecordedAt: track.restRecordedAt,
    restOffset: track.restOffset,
    restIndex: track.restIndex,
  };
}

/** `past` has the texts of the track's past, for callers that need it. */
export function parseTrack(json: string, past: readonly string[] = []): StoredTrack {
  const stored: StoredTrack = JSON.parse(json);
  stored.history ??= entriesOf("history", past);
  stored.sequence ??= entriesOf("sequence", past);
  nullsToNaN(stored, TRACK_NUMBERS);
  for (const intersection of stored.intersections) nullsToNaN(intersection, VISIT_NUMBERS);
  for (const stay of stored.stays ?? []) nullsToNaN(stay, ["endedAt"]);
  return stored;
}

export function storeSource({ dataSourceId, clock, recordedAt, held }: Source): string {
  const stored: StoredSource = { dataSourceId, clock, recordedAt, held: held.map(withoutBaggage) };
  return JSON.stringify(stored);
}

export function parseSource(json: string): StoredSource {
  const stored: StoredSource = JSON.parse(json);
  nullsToNaN(stored, ["clock", "recordedAt"]);
  return stored;
}

export function storeZone(zone: LiveZone): string {
  const { shape: _shape, rank: _rank, activeTracks, slot, ...fields } = zone;
  const stored: StoredZone = {
    ...fields,
    activeTracks: [...activeTracks],
    ...(slot === null ? undefined : { compositions: slot }),
  };
  return JSON.stringify(stored);
}

export function parseZone(json: string): StoredZone {
  return JSON.parse(json);
}

const TRACK_NUMBERS = [
  ...(["startTime", "endTime", "trackEnd", "firstSeen", "lastSeen", "recordedAt", "boxAt", "geoAt"] as const),
  ...(["x", "y", "longitude", "latitude", "restRecordedAt", "endOwedAt"] as const),
] satisfies (keyof StoredTrack)[];

const VISIT_NUMBERS = [
  ...(["emittedAt", "outsideSince", "endedAt", "x", "y", "longitude", "latitude", "geoAt"] as const),
] satisfies (keyof StoredIntersection)[];

function nullsToNaN<K extends string>(stored: { [key in K]: number }, keys: readonly K[]): void {
  for (const key of keys) stored[key] ??= Number.NaN;
}

/** The literal lists every field: a spread costs more than the rest of the fold of a detection. */
export function storedIntersection(intersection: Intersection): StoredIntersection {
  return {
    zoneId: intersection.zone.definition.zoneId,
    zoneName: intersection.zone.definition.name,
    id: intersection.id,
    startTime: intersection.startTime,
    lastInside: intersection.lastInside,
    emittedAt: intersection.emittedAt,
    detections: intersection.detections,
    percent: intersection.percent,
    percentSum: intersection.percentSum,
    x: intersection.x,
    y: intersection.y,
    longitude: intersection.longitude,
    latitude: intersection.latitude,
    geoAt: intersection.geoAt,
    motion: intersection.motion,
    geoMotion: intersection.geoMotion,
    outsideSince: intersection.outsideSince,
    exit: intersection.exit,
    endedAt: intersection.endedAt,
  };
}

/** Drops metadata and direction, which the fold does not read. */
function withoutBaggage(held: HeldDetection): HeldDetection {
  if (held.detection === null) return held;
  const { trackId, timestamp, polygon, position } = held.detection;
  const detection: Detection = { trackId, timestamp, polygon, position, direction: null, metadata: null };
  return { ...held, detection };
}
