// A track's stay in a zone: entering, staying, leaving, and the ends that come from outside (the track's end, the zone's).

import type { MessageState } from "../../schemas/events.ts";
import { intersectionId } from "../../schemas/identity.ts";
import { markTrack, positionOf } from "./create-state.ts";
import { isKnown } from "./known.ts";
import { addGeoStep, addStep, createMotion } from "./motion.ts";
import type { ExitPosition, Fold, LiveZone, PastVisit, Track, Visit } from "./state.ts";

/** A track that trembles on a border for days must not grow without bound: live state keeps the newest entries. */
const KEPT_ENTRIES = 500;

/** The track's newest detection is inside and none was before it. */
export function beginVisit(fold: Fold, track: Track, zone: LiveZone, percent: number): Visit {
  const visit: Visit = {
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
  if (zone.definition.enterDetections <= 1) enter(fold, track, visit);
  return visit;
}

/** The track's newest detection is inside again. */
export function stay(fold: Fold, track: Track, visit: Visit, percent: number): void {
  const { lastSeen } = track;
  const resumed = isKnown(visit.endedAt);
  moveWithin(track, visit);
  visit.lastInside = lastSeen;
  visit.detections++;
  visit.percent = percent;
  visit.percentSum += percent;
  visit.outsideSince = Number.NaN;
  visit.exit = null;
  if (resumed) resume(fold, track, visit);
  else if (visit.id === "") {
    if (visit.detections >= visit.zone.definition.enterDetections) enter(fold, track, visit);
  } else if (lastSeen - visit.emittedAt >= fold.settings.updateIntervalMs) {
    visit.emittedAt = lastSeen;
    emit(fold, track, visit, "UPDATE", null);
  }
}

/** The track's newest detection is outside; false = the visit is over and must be taken off the track. */
export function stray(fold: Fold, track: Track, visit: Visit): boolean {
  if (visit.id === "") return false;
  if (isKnown(visit.endedAt)) resume(fold, track, visit);
  if (!isKnown(visit.outsideSince)) {
    visit.outsideSince = track.lastSeen;
    visit.exit = positionOf(track);
  }
  if (track.lastSeen - visit.outsideSince < visit.zone.definition.exitDelayMs) return true;
  finish(fold, track, visit, visit.outsideSince, track.lastSeen);
  return false;
}

/** Takes back the end that was given out when the track expired. */
export function resume(fold: Fold, track: Track, visit: Visit): void {
  visit.endedAt = Number.NaN;
  visit.emittedAt = track.lastSeen;
  noteInZone(fold, track, visit.zone, track.lastSeen);
  visit.zone.activeTracks.add(track.trackId);
  emit(fold, track, visit, "UPDATE", null);
}

/** Ends the visits of a track that has ended; they stay on it. `closeAt`: the track's end by its own account. */
export function endVisits(fold: Fold, track: Track, closeAt: number): void {
  for (const visit of track.visits) {
    if (visit.id === "") continue;
    const endTime = endOf(visit, closeAt);
    if (visit.endedAt === endTime) continue;
    visit.endedAt = endTime;
    leaveZone(fold, track, visit.zone, closeAt);
    emit(fold, track, visit, "END", endTime);
  }
}

/** The zone is gone for this track (deleted, inactive, moved, redrawn): the visit ends with the last detection. */
export function cutVisit(fold: Fold, track: Track, zone: LiveZone): void {
  const at = track.visits.findIndex((candidate) => candidate.zone === zone);
  const visit = track.visits[at];
  if (visit === undefined) return;
  track.visits.splice(at, 1);
  markTrack(fold.state, track);
  if (visit.id === "") return;
  if (isKnown(visit.endedAt)) remember(track, pastVisit(visit, visit.endedAt, positionOf(track)));
  else finish(fold, track, visit, endOf(visit, track.lastSeen), track.lastSeen);
}

/** Field by field what remains of a visit when it is over. */
function pastVisit(visit: Visit, exitedAt: number, position: ExitPosition): PastVisit {
  return {
    zoneId: visit.zone.definition.zoneId,
    zoneName: visit.zone.definition.name,
    enteredAt: visit.startTime,
    exitedAt,
    detections: visit.detections,
    percent: visit.percent,
    percentSum: visit.percentSum,
    motion: visit.motion,
    geoMotion: visit.geoMotion,
    exit: visit.exit ?? position,
  };
}

/** A run outside that never came back in began with the exit; an end is never before the last detection inside. */
function endOf(visit: Visit, closeAt: number): number {
  return isKnown(visit.outsideSince) ? visit.outsideSince : Math.max(closeAt, visit.lastInside);
}

function enter(fold: Fold, track: Track, visit: Visit): void {
  const { zone } = visit;
  const { zoneId } = zone.definition;
  visit.id = intersectionId(track.trackId, zoneId, visit.startTime);
  visit.emittedAt = track.lastSeen;
  zone.activeTracks.add(track.trackId);
  noteInZone(fold, track, zone, track.lastSeen);
  if (track.sequence.at(-1)?.zoneId !== zoneId) {
    track.sequence.push({ zoneId, enteredAt: visit.startTime });
    if (track.sequence.length > KEPT_ENTRIES) track.sequence.shift();
  }
  emit(fold, track, visit, "START", null);
}

function finish(fold: Fold, track: Track, visit: Visit, endTime: number, changedAt: number): void {
  remember(track, pastVisit(visit, endTime, positionOf(track)));
  leaveZone(fold, track, visit.zone, changedAt);
  emit(fold, track, visit, "END", endTime);
}

function remember(track: Track, past: PastVisit): void {
  track.history.push(past);
  if (track.history.length > KEPT_ENTRIES) track.history.shift();
  track.historyJson = null;
}

function moveWithin(track: Track, visit: Visit): void {
  const elapsedMs = track.lastSeen - visit.lastInside;
  const dx = track.x - visit.x;
  const dy = track.y - visit.y;
  addStep(visit.motion, dx, dy, Math.sqrt(dx * dx + dy * dy), elapsedMs);
  visit.x = track.x;
  visit.y = track.y;
  if (track.geoAt !== track.lastSeen) return;
  if (isKnown(visit.geoAt)) {
    visit.geoMotion ??= createMotion();
    addGeoStep(visit.geoMotion, visit, track, track.geoAt - visit.geoAt);
  }
  visit.geoAt = track.geoAt;
  visit.longitude = track.longitude;
  visit.latitude = track.latitude;
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

function emit(fold: Fold, track: Track, visit: Visit, state: MessageState, endTime: number | null): void {
  fold.out.intersections.push({
    intersectionId: visit.id,
    zoneId: visit.zone.definition.zoneId,
    trackId: track.trackId,
    dataSourceId: track.source.dataSourceId,
    tag: track.tag,
    state,
    startTime: visit.startTime,
    endTime,
    lastInside: visit.lastInside,
    cause: { partition: fold.state.partition, offset: fold.offset, index: fold.outputs++ },
  });
}
