// Folds one detection into its track and the zones around it. This is the hottest path: for a track that neither enters
// nor leaves a zone it allocates nothing but a copy of the rings.

import type { Detection } from "../../schemas/events.ts";
import { createProbe, loadProbe, type Rings } from "../geometry/shape.ts";
import { markTrack } from "./create-state.ts";
import { checkGeofences, resumeStays } from "./geofence-stays.ts";
import { percentInside } from "./inside.ts";
import { activeZones, beginIntersection, NO_ZONES, noteOutside, resume, stay } from "./intersections.ts";
import { isKnown } from "./known.ts";
import { addGeoStep, addStep, createMotion } from "./motion.ts";
import type { Steps } from "./pace.ts";
import type { Fold, LiveZone, Source, Track } from "./state.ts";
import { beginStretch, breakOff, trackOf, wake } from "./track-life.ts";
import { moveToEnd } from "./track-list.ts";
import { lead } from "./twins.ts";
import { buildZoneIndex, findNear } from "./zone-index.ts";

/**
 * @returns the steps that the caller must still run; undefined when there are none, because no listener follows the
 * data source or the detection changes nothing.
 */
export function observe(fold: Fold, source: Source, detection: Detection): Steps | undefined {
  const track = trackOf(fold, source, detection.trackId);
  if (detection.timestamp < track.lastSeen) {
    fold.out.late++;
    return undefined;
  }
  if (detection.timestamp === track.lastSeen) {
    fold.out.duplicates++;
    return undefined;
  }
  const frameEnd = fold.listener?.frameOver(detection.timestamp);
  if (frameEnd === undefined && !isBrokenOff(fold, track, detection)) return takeIn(fold, track, detection);
  return observeInSteps(fold, track, detection, frameEnd);
}

function* observeInSteps(fold: Fold, track: Track, detection: Detection, frameEnd: Steps | undefined): Steps {
  if (frameEnd !== undefined) yield* frameEnd;
  if (isBrokenOff(fold, track, detection)) yield* breakOff(fold, track);
  const listenerSteps = takeIn(fold, track, detection);
  if (listenerSteps !== undefined) yield* listenerSteps;
}

/** @returns the listener's steps. */
function takeIn(fold: Fold, track: Track, detection: Detection): Steps | undefined {
  const { listener } = fold;
  const begins = takeUp(fold, track, detection.timestamp);
  const before = listener === undefined ? NO_ZONES : activeZones(track);
  see(fold, track, detection);
  fold.folded++;
  return listener?.seen(track, before, begins);
}

const isBrokenOff = ({ settings }: Fold, { phase, lastSeen }: Track, { timestamp }: Detection): boolean =>
  phase === "live" && timestamp - lastSeen > settings.trackTtlMs;

function see(fold: Fold, track: Track, detection: Detection): void {
  move(track, detection);
  track.recordedAt = fold.recordedAt;
  track.seenOffset = fold.offset;
  track.seenIndex = fold.folded;
  lead(fold.state, track);
  markTrack(fold.state, track);
  moveToEnd(fold.state.live, track);
  const rings = ringsOf(detection);
  if (rings !== null) updateIntersections(fold, track.source, track, rings);
  else if (track.intersections.length > 0) resumeAll(fold, track);
  if (detection.position !== null) checkGeofences(fold, track);
  else if (track.stays.length > 0) resumeStays(fold, track);
}

/** Tests whether `rings` (by the anchor of the zone) are in the zone. Used for tracks when a zone has changed. */
export function isInside(zone: LiveZone, rings: Rings): boolean {
  loadProbe(probe, rings);
  return percentInside(zone.shape, zone.definition.anchor, probe) >= 0;
}

// Every call reuses this probe and this list. A fold never pauses while it searches for zones, and each thread has its
// own.
const probe = createProbe();
const near: number[] = [];

/**
 * Continues the present stretch, makes a track live again that ended too early, or begins a new stretch. When a live
 * track has timed out, the caller has already ended its stretch (`breakOff`).
 * @returns true when a new stretch begins.
 */
function takeUp(fold: Fold, track: Track, at: number): boolean {
  const gap = at - track.lastSeen;
  const { trackTtlMs } = fold.settings;
  switch (track.phase) {
    case "live":
      if (gap <= trackTtlMs) return false;
      break;
    case "expired":
      fold.out.reopened++;
      wake(fold.state, track);
      if (gap <= trackTtlMs) return false;
      break;
    case "ended":
      fold.out.reopened++;
      wake(fold.state, track);
      // The end was set before its detections arrived: detections up to that end still belong to the track.
      if (gap <= trackTtlMs && at <= track.endTime) return false;
      break;
    case "header":
      wake(fold.state, track);
      break;
    default:
      track.phase satisfies never;
  }
  beginStretch(fold.state, track, at);
  return true;
}

function move(track: Track, detection: Detection): void {
  const at = detection.timestamp;
  const rings = ringsOf(detection);
  if (rings !== null) {
    loadProbe(probe, rings);
    const x = (probe.minX + probe.maxX) / 2;
    const y = (probe.minY + probe.maxY) / 2;
    if (isKnown(track.boxAt)) {
      const dx = x - track.x;
      const dy = y - track.y;
      addStep(track.motion, dx, dy, Math.sqrt(dx * dx + dy * dy), at - track.boxAt);
    }
    track.x = x;
    track.y = y;
    // The reader of the event may use its rings again for the next one.
    track.rings = rings.map((ring) => ring.slice());
    track.boxAt = at;
  }
  const { position } = detection;
  if (position !== null) {
    if (isKnown(track.geoAt)) {
      track.geoMotion ??= createMotion();
      addGeoStep(track.geoMotion, track, position, at - track.geoAt);
    }
    track.longitude = position.longitude;
    track.latitude = position.latitude;
    track.geoAt = at;
  }
  track.lastSeen = at;
  track.detections++;
}

/**
 * Merges two lists that are sorted by zone id: the track's intersections, and the zones near the box. `move` has loaded
 * the probe.
 */
function updateIntersections(fold: Fold, source: Source, track: Track, rings: Rings): void {
  source.index ??= buildZoneIndex(source.zones.values());
  const { zones } = source.index;
  const { intersections } = track;
  if (probe.rings !== rings) loadProbe(probe, rings);
  const found = findNear(source.index, probe, near);
  let at = 0;
  for (let i = 0; i < found; i++) {
    const zone = zones[near[i] ?? 0];
    if (zone === undefined) continue;
    const percent = percentInside(zone.shape, zone.definition.anchor, probe);
    if (percent < 0) continue;
    at = updateOutsideUpTo(fold, track, at, zone.rank);
    const intersection = intersections[at];
    if (intersection?.zone === zone) stay(fold, track, intersection, percent);
    else intersections.splice(at, 0, beginIntersection(fold, track, zone, percent));
    at++;
  }
  updateOutsideUpTo(fold, track, at, zones.length);
}

/**
 * Updates the intersections from index `from` with zones of a rank below `rank`: the detection is outside those zones.
 * @returns the index of the first intersection not yet checked.
 */
function updateOutsideUpTo(fold: Fold, track: Track, from: number, rank: number): number {
  const { intersections } = track;
  let at = from;
  for (
    let intersection = intersections[at];
    intersection !== undefined && intersection.zone.rank < rank;
    intersection = intersections[at]
  ) {
    if (noteOutside(fold, track, intersection)) at++;
    else intersections.splice(at, 1);
  }
  return at;
}

function resumeAll(fold: Fold, track: Track): void {
  for (const intersection of track.intersections) {
    if (isKnown(intersection.endedAt)) resume(fold, track, intersection);
  }
}

function ringsOf(detection: Detection): Rings | null {
  const rings = detection.polygon?.rings;
  return rings === undefined || (rings[0]?.length ?? 0) < 2 ? null : rings;
}
