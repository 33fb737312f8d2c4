// Reordering: with a reorder time set, detections and explicit ends wait here until the source's clock is that far
// ahead of them, and are then folded in timestamp order. The waiting ones are part of the source's state.

import type { Detection } from "../../schemas/events.ts";
import { observe } from "./observe.ts";
import { createFoldPace, type Steps } from "./pace.ts";
import type { Fold, HeldDetection, Source } from "./state.ts";
import { endTrack, trackOf } from "./track-life.ts";

export function holdDetection(fold: Fold, source: Source, detection: Detection): void {
  insert(source, {
    at: detection.timestamp,
    recordedAt: fold.recordedAt,
    trackId: detection.trackId,
    detection,
    endTime: null,
  });
}

/** `at` is the timestamp by which the end is sorted. It is no earlier than the detections that arrived with the end. */
export function holdEnd(fold: Fold, source: Source, trackId: string, endTime: number, at: number): void {
  insert(source, { at, recordedAt: fold.recordedAt, trackId, detection: null, endTime });
}

/** Drops the held end of a track, because the client took it back. */
export function dropHeldEnd(source: Source, trackId: string): void {
  if (source.held.some((held) => held.trackId === trackId && held.detection === null)) {
    source.held = source.held.filter((held) => held.trackId !== trackId || held.detection !== null);
  }
}

/** Folds everything held whose timestamp is at least `reorderMs` earlier than the source's clock. */
export function* releaseDue(fold: Fold, source: Source): Steps {
  const { held, clock, recordedAt } = source;
  const last = held.at(-1);
  if (last === undefined) return;
  const { reorderMs, trackTtlMs } = fold.settings;
  // When a camera's clock was set back, detections held with later timestamps would wait until it has caught up, so
  // broker time decides instead.
  const stranded = last.at > clock && recordedAt - last.recordedAt > reorderMs + trackTtlMs;
  yield* releaseUntil(fold, source, stranded ? last.at : clock - reorderMs);
}

/** Folds everything held with a timestamp up to `until` (ms), in order. */
export function* releaseUntil(fold: Fold, source: Source, until: number): Steps {
  const { held } = source;
  const isRestDue = createFoldPace(fold);
  let count = 0;
  for (let next = held[count]; next !== undefined && next.at <= until; next = held[++count]) {
    if (next.detection !== null) {
      const listenerSteps = observe(fold, source, next.detection);
      if (listenerSteps !== undefined) yield* listenerSteps;
      if (isRestDue(next.detection)) yield;
    } else if (next.endTime !== null) {
      yield* foldEnd(fold, source, next.trackId, next.endTime);
    }
  }
  if (count > 0) held.splice(0, count);
}

export function* foldEnd(fold: Fold, source: Source, trackId: string, endTime: number): Steps {
  const track = trackOf(fold, source, trackId);
  if (track !== undefined) yield* endTrack(fold, track, endTime);
}

/** The newest timestamp, and the newest broker time, of a track's detections and ends. */
export interface NewestActivity {
  readonly at: number;
  readonly recordedAt: number;
}

/** The newest held detection or end of each track. */
export function newestHeld(source: Source): Map<string, NewestActivity> {
  const newest = new Map<string, NewestActivity>();
  // The list is sorted by timestamp: its last entry is the newest, but was not necessarily recorded last.
  for (const { trackId, at, recordedAt } of source.held) {
    newest.set(trackId, { at, recordedAt: Math.max(recordedAt, newest.get(trackId)?.recordedAt ?? recordedAt) });
  }
  return newest;
}

function insert(source: Source, item: HeldDetection): void {
  const { held } = source;
  let place = held.length;
  while (place > 0 && (held[place - 1]?.at ?? 0) > item.at) place--;
  held.splice(place, 0, item);
}
