// Ends tracks by the log's own clock while the log is folded. An owner that is far behind could not keep all of them live until it
// has read the expiries at the end of the log.
import { closeFrame } from "../signals/frame.ts";
import { newestHeld, releaseUntil } from "./hold.ts";
import { oweEnd } from "./owed-ends.ts";
import type { Steps } from "./pace.ts";
import type { Fold, Track } from "./state.ts";
import { expireTrack } from "./track-life.ts";
import type { LiveSettings } from "./types.ts";

/**
 * Beyond the time to live: an owner that keeps up has written the expiry, and read it back, long before; and the clocks of two
 * brokers that follow each other as leaders may differ.
 */
const MARGIN_MS = 60_000;

/** Tracks whose newest detection was recorded before this broker time are over at a message of `recordedAt`. */
const silentBefore = (recordedAt: number, { trackTtlMs }: LiveSettings): number => recordedAt - trackTtlMs - MARGIN_MS;

/** Whether `endSilentTracks` has something to look at. */
export function mayHaveSilentTracks({ state, recordedAt, settings }: Fold): boolean {
  const { first } = state.live;
  return first !== null && first.recordedAt < silentBefore(recordedAt, settings);
}

/** The set and order of these tracks follow from the log alone, as everything that the fold does. */
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
  fold.listeners = settings.subscriptions.of(source.dataSourceId);
  if (held !== undefined) {
    state.dirtySources.add(source);
    yield* releaseUntil(fold, source, held.at);
  }
  if (track.phase === "live") {
    const isAsked = source.pendingEnds.get(trackId) === track.lastSeen;
    yield* expireTrack(fold, track);
    if (!isAsked) oweEnd(state, track, fold.offset);
  }
  if (fold.frame !== undefined) yield* closeFrame(fold);
}
