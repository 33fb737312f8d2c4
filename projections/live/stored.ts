// The JSON texts of one track, source and zone. JSON has no NaN: an unknown number is null there.
import type { Detection } from "../../schemas/events.ts";
import { type StoredEncounters, storeEncounters } from "../signals/encounters.ts";
import { entriesOf } from "./past.ts";
import type { Composition, Held, Intersection, LiveZone, Source, Track } from "./state.ts";

export type StoredIntersection = Omit<Intersection, "zone"> & { readonly zoneId: string; readonly zoneName: string };

export type StoredTrack = Omit<
  Track,
  "source" | "twins" | "intersections" | "stays" | "past" | "encounters" | "previous" | "next" | "dirty"
> & {
  readonly dataSourceId: string;
  readonly intersections: readonly StoredIntersection[];
  /** Undefined in texts that were written before there were geofences. */
  readonly stays?: Track["stays"];
  readonly encounters?: StoredEncounters;
  /** Undefined in texts of earlier versions, which have `history` and `sequence` instead. */
  readonly past?: Track["past"];
} & Stamped;

export type StoredSource = Pick<Source, "dataSourceId" | "clock" | "recordedAt" | "held">;

export type StoredZone = Omit<LiveZone, "shape" | "rank" | "activeTracks" | "compositions"> & {
  readonly activeTracks: readonly string[];
  readonly compositions?: Readonly<Record<string, Composition>>;
} & Stamped;

interface Stamped {
  /** When the text was written, ms. The fold does not know it, and neither do texts of earlier versions. */
  readonly appliedAt?: number;
}

/** The text of a track or zone as the store keeps it. */
export const stamp = (json: string, appliedAt: number): string => `${json.slice(0, -1)},"appliedAt":${appliedAt}}`;

export function storeTrack(track: Track): string {
  const { encounters } = track;
  const near = encounters === null ? "" : `,"encounters":${JSON.stringify(storeEncounters(encounters))}`;
  return `${JSON.stringify(storedFields(track)).slice(0, -1)}${near}}`;
}

/** What views need of the track's text, without the way through JSON. It shares parts with the track. */
export function storedTrack(track: Track): StoredTrack {
  const { history, sequence } = track;
  return { ...storedFields(track), history, sequence };
}

function storedFields(track: Track): Omit<StoredTrack, "encounters" | "history" | "sequence"> {
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

/** `past`: the texts of its past, for a caller who wants that. */
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
  const { shape: _shape, rank: _rank, activeTracks, compositions, ...fields } = zone;
  const stored: StoredZone = {
    ...fields,
    activeTracks: [...activeTracks],
    ...(compositions === null ? undefined : { compositions: Object.fromEntries(compositions) }),
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

/** Lists every field: a spread costs more than the rest of the fold of a detection. */
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

/** Drops metadata and direction: the fold does not read them. */
function withoutBaggage(held: Held): Held {
  if (held.detection === null) return held;
  const { trackId, timestamp, polygon, position } = held.detection;
  const detection: Detection = { trackId, timestamp, polygon, position, direction: null, metadata: null };
  return { ...held, detection };
}
