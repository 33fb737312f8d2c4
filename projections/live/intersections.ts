// A track's stay in a zone: entering, staying, leaving, and ends by another cause (the end of the track or of the
// zone).

import type { MessageState } from "../../schemas/events.ts";
import { intersectionId } from "../../schemas/identity.ts";
import { markTrack, positionOf } from "./create-state.ts";
import { endStays } from "./geofence-stays.ts";
import { isKnown } from "./known.ts";
import { addGeoStep, addStep, createMotion } from "./motion.ts";
import { remember } from "./past.ts";
import type { ExitPosition, Fold, Intersection, LiveZone, PastIntersection, Track } from "./state.ts";

/** The track's newest detection is inside, and the track has no intersection with the zone yet. */
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

/** The track's newest detection is inside again. */
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

/** The track's newest detection is outside; false = the intersection is over: the caller takes it off the track. */
export function stray(fold: Fold, track: Track, intersection: Intersection): boolean {
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

/** Takes back the end that was published when the track expired. */
export function resume(fold: Fold, track: Track, intersection: Intersection): void {
  intersection.endedAt = Number.NaN;
  intersection.emittedAt = track.lastSeen;
  noteInZone(fold, track, intersection.zone, track.lastSeen);
  intersection.zone.activeTracks.add(track.trackId);
  emit(fold, track, intersection, "UPDATE", null);
}

/** Ends the intersections of a track that has ended, geofences included; they stay on it. `closeAt`: the track's end by its own account. */
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

/** The zone is gone for this track (deleted, inactive, moved, redrawn): its last detection ends the intersection. */
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

/** What a track keeps of an intersection that is over. */
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

/** A track that was outside left at its first detection outside; an end is never before the last detection inside. */
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

function emit(fold: Fold, track: Track, intersection: Intersection, state: MessageState, endTime: number | null): void {
  fold.out.intersections.push({
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
