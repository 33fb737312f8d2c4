// Reordering: with a reorder time set, detections and explicit ends wait here until the source's clock is that far past
// them, and are then folded in timestamp order. The waiting ones are part of the source's state.

import type { Detection } from "../../schemas/events.ts";
import { observe } from "./observe.ts";
import { createPace, type Steps } from "./pace.ts";
import type { Fold, Held, Source } from "./state.ts";
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

/** `at`: the end's place in the order, not before the detections that came with it. */
export function holdEnd(fold: Fold, source: Source, trackId: string, endTime: number, at: number): void {
  insert(source, { at, recordedAt: fold.recordedAt, trackId, detection: null, endTime });
}

/** Drops the held end of a track, because the client took it back. */
export function dropHeldEnd(source: Source, trackId: string): void {
  if (source.held.some((held) => held.trackId === trackId && held.detection === null)) {
    source.held = source.held.filter((held) => held.trackId !== trackId || held.detection !== null);
  }
}

/** Folds what is further behind the source's clock than the reorder time. */
export function* releaseDue(fold: Fold, source: Source): Steps {
  const { held, clock, recordedAt } = source;
  const last = held.at(-1);
  if (last === undefined) return;
  const { reorderMs, trackTtlMs } = fold.settings;
  // After the clock was set back, detections ahead of it would wait until it has caught up: broker time decides
  // instead.
  const stranded = last.at > clock && recordedAt - last.recordedAt > reorderMs + trackTtlMs;
  yield* releaseUntil(fold, source, stranded ? last.at : clock - reorderMs);
}

/** Folds everything held with a timestamp up to `until` (ms), in order. */
export function* releaseUntil(fold: Fold, source: Source, until: number): Steps {
  const { held } = source;
  const isRestDue = createPace(fold);
  let count = 0;
  for (let next = held[count]; next !== undefined && next.at <= until; next = held[++count]) {
    if (next.detection !== null) {
      const telling = observe(fold, source, next.detection);
      if (telling !== undefined) yield* telling;
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

/** The newest timestamp, and the newest broker time, of something from a track. */
export interface Heard {
  readonly at: number;
  readonly recordedAt: number;
}

/** The newest held detection or end of each track. */
export function newestHeld(source: Source): Map<string, Heard> {
  const newest = new Map<string, Heard>();
  // The list is sorted by timestamp: its last entry is the newest, but was not necessarily recorded last.
  for (const { trackId, at, recordedAt } of source.held) {
    newest.set(trackId, { at, recordedAt: Math.max(recordedAt, newest.get(trackId)?.recordedAt ?? recordedAt) });
  }
  return newest;
}

function insert(source: Source, item: Held): void {
  const { held } = source;
  let place = held.length;
  while (place > 0 && (held[place - 1]?.at ?? 0) > item.at) place--;
  held.splice(place, 0, item);
}
