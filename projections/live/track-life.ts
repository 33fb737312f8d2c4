// The creation, stretches and ends of a track.

import { createLiveTrack, markTrack } from "./create-state.ts";
import { forget, forgetOldest, isForgotten } from "./forget.ts";
import { dropStays } from "./geofence-stays.ts";
import { endIntersections, zonesBefore } from "./intersections.ts";
import { endFrame } from "./listener.ts";
import { createMotion } from "./motion.ts";
import { settleEnd } from "./owed-ends.ts";
import type { Steps } from "./pace.ts";
import { forgetPast } from "./past.ts";
import type { Fold, PartitionState, Phase, Source, Track } from "./state.ts";
import { append, remove } from "./track-list.ts";
import { addTrack } from "./twins.ts";

/** The data source's track with this id. It is created without a header when it is unknown. */
export function trackOf(fold: Fold, source: Source, trackId: string): Track {
  const { state, recordedAt, settings } = fold;
  const known = source.tracks.get(trackId);
  if (known !== undefined) {
    if (!isForgotten(known, recordedAt, settings)) return known;
    forget(state, known);
  }
  const track = createLiveTrack(trackId, source);
  addTrack(state, track);
  markTrack(state, track);
  beginRest(fold, track);
  return track;
}

/** Resets the live state for a new stretch. The history still has one track. */
export function beginStretch(state: PartitionState, track: Track, at: number): void {
  dropStays(state, track);
  track.slot?.begins();
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
  track.slot?.wakes();
  settleEnd(state, track);
  remove(state.resting, track);
  append(state.live, track);
}

/**
 * @returns the time at which the track ended, in event time alone. It is the explicit end, when that is not before the
 * last detection and at most the time to live after it; otherwise it is the last detection.
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
  if (wasLive && fold.listener !== undefined) yield* fold.listener.ended(track, before, "end_time");
}

/** Expires a track that timed out. */
export function* expireTrack(fold: Fold, track: Track): Steps {
  const before = yield* zonesBefore(fold, track);
  endIntersections(fold, track, endOfTrack(track, fold.settings.trackTtlMs));
  track.trackEnd = track.lastSeen + fold.settings.trackTtlMs;
  markTrack(fold.state, track);
  putToRest(fold, track, "expired");
  if (fold.listener !== undefined) yield* fold.listener.ended(track, before, "wall_clock");
}

/**
 * Ends the stretch of a track that had timed out before its present detection. The track stays live: the caller begins
 * a new stretch.
 */
export function* breakOff(fold: Fold, track: Track): Steps {
  const before = yield* zonesBefore(fold, track);
  endIntersections(fold, track, endOfTrack(track, fold.settings.trackTtlMs));
  track.trackEnd = track.lastSeen + fold.settings.trackTtlMs;
  if (fold.listener !== undefined) {
    yield* fold.listener.ended(track, before, "event_time");
    yield* endFrame(fold.listener);
  }
  track.trackEnd = Number.NaN;
}

/**
 * Removes the explicit end, which the client took back: an ended track is then only expired, and the next detection
 * resumes it.
 */
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
  track.slot?.rests(fold.state);
  track.restRecordedAt = fold.recordedAt;
  track.restOffset = fold.offset;
  track.restIndex = fold.folded++;
  forgetOldest(fold.state, fold.settings);
}
