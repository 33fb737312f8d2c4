// Folds one detection into its track and the zones around it. The hottest path: it allocates nothing for a track that
// neither enters nor leaves a zone.

import type { Detection } from "../../schemas/events.ts";
import { closeFrame } from "../signals/frame.ts";
import { activeZones } from "../signals/state-text.ts";
import { tellDetection } from "../signals/tell.ts";
import { markTrack } from "./create-state.ts";
import { judgePosition, resumeStays } from "./geofence-stays.ts";
import { createProbe, loadProbe } from "./geometry.ts";
import { percentInside } from "./inside.ts";
import { beginIntersection, resume, stay, stray } from "./intersections.ts";
import { isKnown } from "./known.ts";
import { addGeoStep, addStep, createMotion } from "./motion.ts";
import { finish, type Steps } from "./pace.ts";
import type { Fold, LiveZone, Rings, Source, Track } from "./state.ts";
import { beginStretch, breakOff, trackOf, wake } from "./track-life.ts";
import { moveToEnd } from "./track-list.ts";
import { lead } from "./twins.ts";
import { buildZoneIndex, findNear } from "./zone-index.ts";

/** Returns the steps that are left to be taken, if there are subscriptions to be told. */
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
  if (fold.listeners !== undefined) return observeAndTell(fold, track, detection);
  if (isBrokenOff(fold, track, detection)) finish(breakOff(fold, track));
  takeUp(fold, track, detection.timestamp);
  see(fold, track, detection);
  fold.folded++;
  return undefined;
}

function* observeAndTell(fold: Fold, track: Track, detection: Detection): Steps {
  if (fold.frame !== undefined && fold.frame.at !== detection.timestamp) yield* closeFrame(fold);
  if (isBrokenOff(fold, track, detection)) yield* breakOff(fold, track);
  const begins = takeUp(fold, track, detection.timestamp);
  const before = activeZones(track);
  see(fold, track, detection);
  yield* tellDetection(fold, track, before, begins);
  fold.folded++;
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
  if (rings !== null) judge(fold, track.source, track, rings);
  else if (track.intersections.length > 0) resumeAll(fold, track);
  if (detection.position !== null) judgePosition(fold, track);
  else if (track.stays.length > 0) resumeStays(fold, track);
}

/** Whether `rings` (by the anchor of the zone) are in the zone. Judges a track against a changed zone. */
export function isInside(zone: LiveZone, rings: Rings): boolean {
  loadProbe(probe, rings);
  return percentInside(zone.shape, zone.definition.anchor, probe) >= 0;
}

// Scratch of this thread: a fold never rests while it looks for zones.
const probe = createProbe();
const near: number[] = [];

/**
 * Continues the present stretch, takes back an end that came too early, or opens a new stretch: then it returns true. What
 * was broken off has ended before.
 */
function takeUp(fold: Fold, track: Track, at: number): boolean {
  const gap = at - track.lastSeen;
  const { trackTtlMs } = fold.settings;
  switch (track.phase) {
    case "live":
      if (gap <= trackTtlMs) return false;
      break;
    case "expired":
      wake(fold.state, track);
      if (gap <= trackTtlMs) return false;
      break;
    case "ended":
      wake(fold.state, track);
      // The end was set before its detections came: detections up to that end still belong to the track.
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
    track.rings = rings;
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

/** Walks the intersections and the zones near the box side by side, by zone id. `move` has loaded the probe. */
function judge(fold: Fold, source: Source, track: Track, rings: Rings): void {
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
    at = strayUpTo(fold, track, at, zone.rank);
    const intersection = intersections[at];
    if (intersection?.zone === zone) stay(fold, track, intersection, percent);
    else intersections.splice(at, 0, beginIntersection(fold, track, zone, percent));
    at++;
  }
  strayUpTo(fold, track, at, zones.length);
}

/** The detection is outside the zones before `rank`. Returns the place of the first intersection not looked at. */
function strayUpTo(fold: Fold, track: Track, from: number, rank: number): number {
  const { intersections } = track;
  let at = from;
  for (
    let intersection = intersections[at];
    intersection !== undefined && intersection.zone.rank < rank;
    intersection = intersections[at]
  ) {
    if (stray(fold, track, intersection)) at++;
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
