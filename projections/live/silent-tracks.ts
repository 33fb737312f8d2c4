// Ends tracks by the log's own clock while the log is folded. Without this, an owner that lags far behind the end of
// the log would have to keep all these tracks live until it reads their expiries.

import { newestHeld, releaseUntil } from "./hold.ts";
import { endFrame } from "./listener.ts";
import { oweEnd } from "./owed-ends.ts";
import type { Steps } from "./pace.ts";
import type { Fold, Track } from "./state.ts";
import { expireTrack } from "./track-life.ts";
import type { LiveSettings } from "./types.ts";

/**
 * Margin beyond the time to live. An owner that keeps up has written the expiry, and read it back, long before it is
 * over. The clocks of two brokers may also differ when one follows the other as leader.
 */
const MARGIN_MS = 60_000;

/**
 * At a message recorded at `recordedAt`, tracks are over whose newest detection was recorded before the returned broker
 * time.
 */
const silentBefore = (recordedAt: number, { trackTtlMs }: LiveSettings): number => recordedAt - trackTtlMs - MARGIN_MS;

/** @returns true when `endSilentTracks` has tracks to check. */
export function mayHaveSilentTracks({ state, recordedAt, settings }: Fold): boolean {
  const { first } = state.live;
  return first !== null && first.recordedAt < silentBefore(recordedAt, settings);
}

/** The set and order of these tracks derive from the log alone, like everything that the fold does. */
export function* endSilentTracks(fold: Fold): Steps {
  const before = silentBefore(fold.recordedAt, fold.settings);
  let next: Track | null = null;
  for (let track = fold.state.live.first; track !== null && track.recordedAt < before; track = next) {
    next = track.next;
    yield* endSilentTrack(fold, track, before);
    yield;
  }
}

function* endSilentTrack(fold: Fold, track: Track, before: number): Steps {
  const { state, settings } = fold;
  const { source, trackId } = track;
  const held = source.held.length === 0 ? undefined : newestHeld(source).get(trackId);
  if (held !== undefined && held.recordedAt >= before) return;
  fold.listener = settings.listener?.of(fold, source.dataSourceId);
  if (held !== undefined) {
    state.dirtySources.add(source);
    yield* releaseUntil(fold, source, held.at);
  }
  if (track.phase === "live") {
    const isPending = source.pendingEnds.get(trackId) === track.lastSeen;
    yield* expireTrack(fold, track);
    if (!isPending) oweEnd(state, track, fold.offset);
  }
  yield* endFrame(fold.listener);
}
