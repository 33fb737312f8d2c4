// Birth, stretches and ends of a track, without its position.

import { beginEncounters } from "../signals/encounters.ts";
import { closeFrame } from "../signals/frame.ts";
import { restEncounters, wakeEncounters } from "../signals/spans.ts";
import { tellEnd, zonesBefore } from "../signals/tell.ts";
import { createTrack, markTrack } from "./create-state.ts";
import { forget, isForgotten, makeRoom } from "./forget.ts";
import { dropStays } from "./geofence-stays.ts";
import { endIntersections } from "./intersections.ts";
import { createMotion } from "./motion.ts";
import { settleEnd } from "./owed-ends.ts";
import type { Steps } from "./pace.ts";
import { forgetPast } from "./past.ts";
import type { Fold, PartitionState, Phase, Source, Track } from "./state.ts";
import { append, remove } from "./track-list.ts";
import { addTrack, lead } from "./twins.ts";

/** The data source's track with this id, created without a header if unknown. */
export function trackOf(fold: Fold, source: Source, trackId: string): Track {
  const { state, recordedAt, settings } = fold;
  const known = source.tracks.get(trackId);
  if (known !== undefined) {
    if (!isForgotten(known, recordedAt, settings)) return known;
    forget(state, known);
  }
  const track = createTrack(trackId, source);
  addTrack(state, track);
  markTrack(state, track);
  beginRest(fold, track);
  lead(state, track);
  return track;
}

/** Starts the live state anew; the history keeps the track as one. */
export function beginStretch(state: PartitionState, track: Track, at: number): void {
  dropStays(state, track);
  beginEncounters(track);
  track.firstSeen = at;
  track.detections = 0;
  track.x = Number.NaN;
  track.y = Number.NaN;
  track.longitude = Number.NaN;
  track.latitude = Number.NaN;
  track.rings = null;
  track.boxAt = Number.NaN;
  track.geoAt = Number.NaN;
  track.motion = createMotion();
  track.geoMotion = null;
  track.intersections = [];
  forgetPast(state, track);
}

export function wake(state: PartitionState, track: Track): void {
  track.phase = "live";
  track.trackEnd = Number.NaN;
  wakeEncounters(track);
  settleEnd(state, track);
  remove(state.resting, track);
  append(state.live, track);
}

/**
 * When the track ended, by event time alone: at its explicit end, if that is known, not before the last detection and
 * no more than the time to live after it; else at the last detection.
 */
export function endOfTrack(track: Track, trackTtlMs: number): number {
  const { endTime, lastSeen } = track;
  return endTime >= lastSeen && endTime - lastSeen <= trackTtlMs ? endTime : lastSeen;
}

/** Applies an explicit end. */
export function* endTrack(fold: Fold, track: Track, endTime: number): Steps {
  // A repeated message changes nothing. Above all, it does not end a stretch that began after it.
  if (endTime === track.endTime && (track.phase !== "live" || endTime < track.lastSeen)) return;
  track.endTime = endTime;
  markTrack(fold.state, track);
  if (track.phase === "header") return;
  const wasLive = track.phase === "live";
  const before = yield* zonesBefore(fold, track);
  const afterLast = endTime >= track.lastSeen;
  endIntersections(fold, track, afterLast ? endOfTrack(track, fold.settings.trackTtlMs) : endTime);
  track.trackEnd = endTime;
  settleEnd(fold.state, track);
  putToRest(fold, track, "ended");
  if (wasLive) yield* tellEnd(fold, track, before, "end_time");
}

/** The track timed out. */
export function* expireTrack(fold: Fold, track: Track): Steps {
  const before = yield* zonesBefore(fold, track);
  endIntersections(fold, track, endOfTrack(track, fold.settings.trackTtlMs));
  track.trackEnd = track.lastSeen + fold.settings.trackTtlMs;
  markTrack(fold.state, track);
  putToRest(fold, track, "expired");
  yield* tellEnd(fold, track, before, "wall_clock");
}

/** The track had timed out before its present detection. It stays live: the caller begins a new stretch. */
export function* breakOff(fold: Fold, track: Track): Steps {
  const before = yield* zonesBefore(fold, track);
  endIntersections(fold, track, endOfTrack(track, fold.settings.trackTtlMs));
  track.trackEnd = track.lastSeen + fold.settings.trackTtlMs;
  yield* tellEnd(fold, track, before, "event_time");
  if (fold.frame !== undefined) yield* closeFrame(fold);
  track.trackEnd = Number.NaN;
}

/** The client took the explicit end back: an ended track is then only expired, and the next detection resumes it. */
export function clearEnd(fold: Fold, track: Track): void {
  track.endTime = Number.NaN;
  markTrack(fold.state, track);
  if (track.phase !== "ended") return;
  endIntersections(fold, track, track.lastSeen);
  track.trackEnd = track.lastSeen + fold.settings.trackTtlMs;
  track.phase = "expired";
}

function putToRest(fold: Fold, track: Track, phase: Phase): void {
  const wasLive = track.phase === "live";
  track.phase = phase;
  track.source.pendingEnds.delete(track.trackId);
  if (!wasLive) return;
  remove(fold.state.live, track);
  beginRest(fold, track);
}

function beginRest(fold: Fold, track: Track): void {
  append(fold.state.resting, track);
  const passed = restEncounters(track);
  if (passed !== undefined) markTrack(fold.state, passed);
  track.restRecordedAt = fold.recordedAt;
  track.restOffset = fold.offset;
  track.restIndex = fold.folded++;
  makeRoom(fold.state, fold.settings);
}
