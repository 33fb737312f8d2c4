// The views of the stored live state that the REST interface serves. Names, units and rules are those of the State
// Machine API: times in ISO 8601, durations in seconds, lengths in pixels or metres. The names of devices, sites and
// data sources are not known here.
import type { Zone } from "../../schemas/events.ts";
import { isoOrNull, isoTime } from "../../schemas/identity.ts";
import { twinField } from "../../schemas/redis-keys.ts";
import { isKnown } from "./known.ts";
import { directionOf, type Motion } from "./motion.ts";
import type { ExitPosition, PastIntersection } from "./state.ts";
import { parseTrack, parseZone, type StoredIntersection, type StoredTrack, type StoredZone } from "./stored.ts";
import type {
  ActiveTrack,
  MotionPair,
  MotionState,
  PositionState,
  TrackState,
  ZoneHistoryEntry,
  ZoneIntersection,
  ZoneState,
} from "./view-types.ts";

/** The texts of a track in the store. */
export interface TrackTexts {
  readonly text: string;
  readonly past: readonly string[];
}

/**
 * @returns null when the track has only a header and no detection yet, or when it ended before `endedSince`, in broker
 * time (ms).
 */
export function trackState({ text, past }: TrackTexts, endedSince = Number.NEGATIVE_INFINITY): TrackState | null {
  const track = parseTrack(text, past);
  if (track.phase === "header") return null;
  if (track.phase !== "live" && track.restRecordedAt < endedSince) return null;
  return viewOfTrack(track);
}

export function viewOfTrack(track: StoredTrack): TrackState {
  return {
    track_id: track.trackId,
    tag: track.tag,
    datasource_id: track.dataSourceId,
    datasource_name: null,
    device_id: null,
    site_id: null,
    site_name: null,
    track_start: isoTime(isKnown(track.startTime) ? track.startTime : track.firstSeen),
    ...(isKnown(track.trackEnd) ? { track_end: isoTime(track.trackEnd) } : {}),
    first_seen: isoTime(track.firstSeen),
    last_seen: isoTime(track.lastSeen),
    track_age: seconds(track.lastSeen - track.firstSeen).toFixed(3),
    detection_count: track.detections,
    position: positionState(track),
    motion: motionPair(track),
    zones: {
      active: Object.fromEntries(
        activeIntersections(track).map((intersection) => [
          intersection.zoneId,
          zoneIntersection(intersection, track.lastSeen),
        ]),
      ),
      history: historyOf(track),
      sequence: [...track.sequence]
        .sort((a, b) => a.enteredAt - b.enteredAt)
        .map((entry) => ({ zone_id: entry.zoneId, entered_at: isoTime(entry.enteredAt) })),
    },
    interactions: [],
    updated_at: isoTime(track.lastSeen),
    applied_at: isoOrNull(track.appliedAt),
  };
}

/**
 * Returns the fields of the store with the texts that `zoneState` needs. Each track is in one of two fields; the other
 * may hold a track of another camera.
 */
export function activeTrackFields(zoneJson: string): readonly string[] {
  const { activeTracks, definition } = parseZone(zoneJson);
  return activeTracks.flatMap((trackId) => [trackId, twinField(definition.dataSourceId, trackId)]);
}

/**
 * `trackJsons` are the texts in `activeTrackFields`. Tracks that have left meanwhile, are gone (null) or belong to
 * another camera are skipped.
 */
export function zoneState(zoneJson: string, trackJsons: Iterable<string | null>): ZoneState {
  const zone = parseZone(zoneJson);
  const active: Visit[] = [];
  const inside: StoredTrack[] = [];
  for (const json of trackJsons) {
    const track = json === null ? undefined : parseTrack(json);
    const intersection = track && intersectionWith(track, zone.definition.zoneId);
    if (track === undefined || intersection === undefined) continue;
    if (intersection.lastInside === track.lastSeen) inside.push(track);
    active.push({ track, intersection });
  }
  return viewOfZone(zone.definition, active, newestUpdate(zone, inside));
}

/** An active track of a zone with its intersection. */
export interface Visit {
  readonly track: Pick<StoredTrack, "trackId" | "tag" | "lastSeen">;
  readonly intersection: IntersectionFigures;
}

export interface ZoneUpdate {
  readonly updatedAt: number;
  readonly appliedAt: number | undefined;
  readonly triggerTrackId: string | null;
  readonly triggerTag: string | null;
}

export function viewOfZone(
  { zoneId, name, dataSourceId }: Zone,
  visits: readonly Visit[],
  { updatedAt, appliedAt, triggerTrackId, triggerTag }: ZoneUpdate,
): ZoneState {
  const active = visits.map(({ track, intersection }) => [track.trackId, activeTrack(track, intersection)] as const);
  return {
    zone_id: zoneId,
    zone_name: name,
    device_id: null,
    datasource_id: dataSourceId,
    datasource_name: null,
    site_id: null,
    site_name: null,
    active_tracks: Object.fromEntries(active),
    track_count: active.length,
    updated_at: triggerTrackId === null ? null : isoTime(updatedAt),
    applied_at: isoOrNull(appliedAt),
    trigger_track_id: triggerTrackId,
    trigger_tag: triggerTag,
  };
}

/** The last entry or exit, or the last detection of a track that stayed inside, whichever is later in the log. */
function newestUpdate(zone: StoredZone, tracks: readonly StoredTrack[]): ZoneUpdate {
  let { updatedAt, appliedAt, triggerTrackId, triggerTag, triggerOffset, triggerIndex } = zone;
  for (const track of tracks) {
    const later = track.seenOffset - triggerOffset || track.seenIndex - triggerIndex;
    if (later <= 0) continue;
    updatedAt = track.lastSeen;
    appliedAt = track.appliedAt;
    triggerTrackId = track.trackId;
    triggerTag = track.tag;
    triggerOffset = track.seenOffset;
    triggerIndex = track.seenIndex;
  }
  return { updatedAt, appliedAt, triggerTrackId, triggerTag };
}

const intersectionWith = (track: StoredTrack, zoneId: string): StoredIntersection | undefined =>
  activeIntersections(track).find((candidate) => candidate.zoneId === zoneId);

function activeIntersections(track: StoredTrack): readonly StoredIntersection[] {
  return track.intersections.filter((intersection) => intersection.id !== "" && !isKnown(intersection.endedAt));
}

/**
 * Returns the entries sorted by exit, the newest first. An ended track keeps its last intersections, with their ends,
 * in `intersections`.
 */
function historyOf(track: StoredTrack): ZoneHistoryEntry[] {
  const closed = track.intersections
    .filter((intersection) => isKnown(intersection.endedAt))
    .map((intersection): PastIntersection => {
      const entered = { enteredAt: intersection.startTime, exitedAt: intersection.endedAt };
      return { ...intersection, ...entered, exit: intersection.exit ?? positionOnly(track) };
    });
  return [...track.history, ...closed]
    .sort((a, b) => b.exitedAt - a.exitedAt || (a.zoneId < b.zoneId ? -1 : 1))
    .map(historyEntry);
}

function historyEntry(past: PastIntersection): ZoneHistoryEntry {
  const { enteredAt: startTime, exitedAt } = past;
  return {
    ...zoneIntersection({ ...past, startTime }, exitedAt),
    exited_at: isoTime(exitedAt),
    exit_position: positionState(past.exit),
  };
}

type IntersectionFigures = Pick<
  StoredIntersection,
  "zoneId" | "zoneName" | "startTime" | "detections" | "percent" | "percentSum" | "motion" | "geoMotion"
> & { readonly outsideSince?: number };

function zoneIntersection(intersection: IntersectionFigures, until: number): ZoneIntersection {
  return {
    zone_id: intersection.zoneId,
    zone_name: intersection.zoneName,
    entered_at: isoTime(intersection.startTime),
    dwell_time: seconds(until - intersection.startTime),
    detection_count: intersection.detections,
    intersection: {
      // The track is outside, but still within the zone's exit delay.
      current_percent: isKnown(intersection.outsideSince ?? Number.NaN) ? 0 : intersection.percent,
      avg_percent: intersection.percentSum / intersection.detections,
      sample_count: intersection.detections,
    },
    motion: motionPair(intersection),
  };
}

function activeTrack(track: Visit["track"], intersection: IntersectionFigures): ActiveTrack {
  const { entered_at, dwell_time, detection_count, motion, ...view } = zoneIntersection(intersection, track.lastSeen);
  const { current_percent, avg_percent } = view.intersection;
  return {
    tag: track.tag,
    entered_at,
    dwell_time,
    detection_count,
    intersection: { current_percent, avg_percent },
    motion,
  };
}

function positionOnly({ x, y, longitude, latitude, rings }: ExitPosition): ExitPosition {
  return { x, y, longitude, latitude, rings };
}

function positionState(position: ExitPosition): PositionState {
  return {
    pix: { x: orNull(position.x), y: orNull(position.y) },
    geo: { lon: orNull(position.longitude), lat: orNull(position.latitude) },
    polygon: position.rings === null ? null : { coordinates: position.rings.map(points) },
  };
}

function points(ring: readonly number[]): number[][] {
  const nested: number[][] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) nested.push(ring.slice(i, i + 2));
  return nested;
}

function motionPair({ motion, geoMotion }: { readonly motion: Motion; readonly geoMotion: Motion | null }): MotionPair {
  return { pix: motionState(motion), geo: geoMotion === null ? NO_GROUND_MOTION : motionState(geoMotion) };
}

const NO_GROUND_MOTION: MotionState = {
  velocity: null,
  distance: null,
  instantaneous_velocity: null,
  instantaneous_direction: null,
  sample_count: null,
};

/** Velocity is the mean of the speeds between consecutive detections. */
function motionState(motion: Motion): MotionState {
  const moved = motion.samples > 0;
  return {
    velocity: moved ? motion.speedSum / motion.samples : null,
    distance: motion.distance,
    instantaneous_velocity: moved ? motion.speed : null,
    instantaneous_direction: moved ? directionOf(motion) : null,
    sample_count: motion.samples,
  };
}

const seconds = (ms: number): number => ms / 1000;

/** Exit positions come directly from JSON, where an unknown number is already null. */
const orNull = (value: number | null): number | null => (value === null || Number.isNaN(value) ? null : value);
