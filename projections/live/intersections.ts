// A track's intersection with a zone: its begin, its updates, and its end, by a detection outside or by the end of the
// track or zone.

import type { IntersectionMessageState } from "../../schemas/events.ts";
import { intersectionId } from "../../schemas/identity.ts";
import { markTrack, positionOf } from "./create-state.ts";
import { endStays } from "./geofence-stays.ts";
import { isKnown } from "./known.ts";
import { endFrame } from "./listener.ts";
import { addGeoStep, addStep, createMotion } from "./motion.ts";
import { addOutput } from "./outputs.ts";
import { remember } from "./past.ts";
import type { ExitPosition, Fold, Intersection, LiveZone, PastIntersection, Track } from "./state.ts";

/** Called when the track's newest detection is inside a zone with which the track has no intersection yet. */
export function beginIntersection(fold: Fold, track: Track, zone: LiveZone, percent: number): Intersection {
  const intersection: Intersection = {
    zone,
    id: "",
    startTime: track.lastSeen,
    lastInside: track.lastSeen,
    emittedAt: Number.NaN,
    detections: 1,
    percent,
    percentSum: percent,
    x: track.x,
    y: track.y,
    longitude: track.longitude,
    latitude: track.latitude,
    geoAt: track.geoAt,
    motion: createMotion(),
    geoMotion: null,
    outsideSince: Number.NaN,
    exit: null,
    endedAt: Number.NaN,
  };
  if (zone.definition.enterDetections <= 1) enter(fold, track, intersection);
  return intersection;
}

/** Called when the track's newest detection is inside a zone with which the track has an intersection already. */
export function stay(fold: Fold, track: Track, intersection: Intersection, percent: number): void {
  const { lastSeen } = track;
  const resumed = isKnown(intersection.endedAt);
  moveWithin(track, intersection);
  intersection.lastInside = lastSeen;
  intersection.detections++;
  intersection.percent = percent;
  intersection.percentSum += percent;
  intersection.outsideSince = Number.NaN;
  intersection.exit = null;
  if (resumed) resume(fold, track, intersection);
  else if (intersection.id === "") {
    if (intersection.detections >= intersection.zone.definition.enterDetections) enter(fold, track, intersection);
  } else if (lastSeen - intersection.emittedAt >= fold.settings.updateIntervalMs) {
    intersection.emittedAt = lastSeen;
    emit(fold, track, intersection, "UPDATE", null);
  }
}

/**
 * Called when the track's newest detection is outside a zone with which the track has an intersection.
 * @returns false when the intersection is over; the caller must then remove it from the track.
 */
export function noteOutside(fold: Fold, track: Track, intersection: Intersection): boolean {
  if (intersection.id === "") return false;
  if (isKnown(intersection.endedAt)) resume(fold, track, intersection);
  if (!isKnown(intersection.outsideSince)) {
    intersection.outsideSince = track.lastSeen;
    intersection.exit = positionOf(track);
  }
  if (track.lastSeen - intersection.outsideSince < intersection.zone.definition.exitDelayMs) return true;
  finish(fold, track, intersection, intersection.outsideSince, track.lastSeen);
  return false;
}

/** Withdraws the END that was published when the track ended, because the track continues. */
export function resume(fold: Fold, track: Track, intersection: Intersection): void {
  intersection.endedAt = Number.NaN;
  intersection.emittedAt = track.lastSeen;
  noteInZone(fold, track, intersection.zone, track.lastSeen);
  intersection.zone.activeTracks.add(track.trackId);
  emit(fold, track, intersection, "UPDATE", null);
}

/**
 * Ends the intersections of a track that has ended at `closeAt`, those with geofences included. They remain on the
 * track, because a later detection may show that the track continued.
 */
export function endIntersections(fold: Fold, track: Track, closeAt: number): void {
  for (const intersection of track.intersections) {
    if (intersection.id === "") continue;
    const endTime = endOf(intersection, closeAt);
    if (intersection.endedAt === endTime) continue;
    intersection.endedAt = endTime;
    leaveZone(fold, track, intersection.zone, closeAt);
    emit(fold, track, intersection, "END", endTime);
  }
  endStays(fold, track, closeAt);
}

/**
 * Ends the track's intersection, at its last detection, because the zone was deleted, deactivated, moved or redrawn.
 */
export function cutIntersection(fold: Fold, track: Track, zone: LiveZone): void {
  const at = track.intersections.findIndex((candidate) => candidate.zone === zone);
  const intersection = track.intersections[at];
  if (intersection === undefined) return;
  track.intersections.splice(at, 1);
  markTrack(fold.state, track);
  if (intersection.id === "") return;
  if (isKnown(intersection.endedAt))
    remember(fold.state, track, "history", pastIntersection(intersection, intersection.endedAt, positionOf(track)));
  else finish(fold, track, intersection, endOf(intersection, track.lastSeen), track.lastSeen);
}

/** The zones that the track is in. */
export function activeZones({ intersections }: Track): readonly LiveZone[] {
  if (intersections.length === 0) return NO_ZONES;
  const zones: LiveZone[] = [];
  for (const { id, endedAt, zone } of intersections) if (id !== "" && !isKnown(endedAt)) zones.push(zone);
  return zones;
}

/**
 * Notifies the listener that its frame is over, because an event other than a detection will change the track.
 * @returns the zones that the track is in before the event; an empty list when there is no listener.
 */
export function* zonesBefore({ listener }: Fold, track: Track): Generator<void, readonly LiveZone[]> {
  if (listener === undefined) return NO_ZONES;
  yield* endFrame(listener);
  return activeZones(track);
}

export const NO_ZONES: readonly LiveZone[] = [];

/** The part of an ended intersection that the track keeps. */
function pastIntersection(intersection: Intersection, exitedAt: number, position: ExitPosition): PastIntersection {
  return {
    zoneId: intersection.zone.definition.zoneId,
    zoneName: intersection.zone.definition.name,
    enteredAt: intersection.startTime,
    exitedAt,
    detections: intersection.detections,
    percent: intersection.percent,
    percentSum: intersection.percentSum,
    motion: intersection.motion,
    geoMotion: intersection.geoMotion,
    exit: intersection.exit ?? position,
  };
}

/**
 * @returns the first detection of the present run outside or, when the track is inside, `closeAt`, but no time before
 * the last detection inside.
 */
function endOf(intersection: Intersection, closeAt: number): number {
  return isKnown(intersection.outsideSince) ? intersection.outsideSince : Math.max(closeAt, intersection.lastInside);
}

function enter(fold: Fold, track: Track, intersection: Intersection): void {
  const { zone } = intersection;
  const { zoneId } = zone.definition;
  intersection.id = intersectionId(track.trackId, zoneId, intersection.startTime);
  intersection.emittedAt = track.lastSeen;
  zone.activeTracks.add(track.trackId);
  noteInZone(fold, track, zone, track.lastSeen);
  if (track.sequence.at(-1)?.zoneId !== zoneId) {
    remember(fold.state, track, "sequence", { zoneId, enteredAt: intersection.startTime });
  }
  emit(fold, track, intersection, "START", null);
}

function finish(fold: Fold, track: Track, intersection: Intersection, endTime: number, changedAt: number): void {
  remember(fold.state, track, "history", pastIntersection(intersection, endTime, positionOf(track)));
  leaveZone(fold, track, intersection.zone, changedAt);
  emit(fold, track, intersection, "END", endTime);
}

function moveWithin(track: Track, intersection: Intersection): void {
  const elapsedMs = track.lastSeen - intersection.lastInside;
  const dx = track.x - intersection.x;
  const dy = track.y - intersection.y;
  addStep(intersection.motion, dx, dy, Math.sqrt(dx * dx + dy * dy), elapsedMs);
  intersection.x = track.x;
  intersection.y = track.y;
  if (track.geoAt !== track.lastSeen) return;
  if (isKnown(intersection.geoAt)) {
    intersection.geoMotion ??= createMotion();
    addGeoStep(intersection.geoMotion, intersection, track, track.geoAt - intersection.geoAt);
  }
  intersection.geoAt = track.geoAt;
  intersection.longitude = track.longitude;
  intersection.latitude = track.latitude;
}

function leaveZone(fold: Fold, track: Track, zone: LiveZone, at: number): void {
  zone.activeTracks.delete(track.trackId);
  noteInZone(fold, track, zone, at);
}

function noteInZone(fold: Fold, track: Track, zone: LiveZone, at: number): void {
  zone.updatedAt = at;
  zone.triggerTrackId = track.trackId;
  zone.triggerTag = track.tag;
  zone.triggerOffset = fold.offset;
  zone.triggerIndex = fold.folded;
  fold.state.dirtyZones.add(zone.definition.zoneId);
}

function emit(
  fold: Fold,
  track: Track,
  intersection: Intersection,
  state: IntersectionMessageState,
  endTime: number | null,
): void {
  addOutput(fold.out, "zone-intersections", {
    intersectionId: intersection.id,
    zoneId: intersection.zone.definition.zoneId,
    trackId: track.trackId,
    dataSourceId: track.source.dataSourceId,
    tag: track.tag,
    state,
    startTime: intersection.startTime,
    endTime,
    lastInside: intersection.lastInside,
    cause: { partition: fold.state.partition, offset: fold.offset, index: fold.outputs++ },
  });
}
