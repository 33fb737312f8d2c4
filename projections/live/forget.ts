// What is no longer remembered. The rule goes by the broker's time of messages alone, so every fold of the log has the
// same answer at every message; when the memory is freed is another matter, and may be later.
import type { ExpiryQuestion } from "./expiry.ts";
import { isKnown } from "./known.ts";
import { remove } from "./rest-list.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import type { LiveSettings } from "./types.ts";

/** More than one message usually puts to rest, and few enough to cost little. */
const SWEPT_PER_MESSAGE = 10;
/** Tracks, and data sources looked at: about a millisecond. */
const SWEPT_PER_CALL = 1_000;
/** Our clock may be this far ahead of the broker's: what the next message still knows must not be gone by then. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** What began to rest before this broker time is forgotten when a message of `recordedAt` comes. */
const forgottenBefore = (recordedAt: number, { forgetAfterMs }: LiveSettings): number => recordedAt - forgetAfterMs;

export function isForgotten(track: Track, recordedAt: number, settings: LiveSettings): boolean {
  return track.phase !== "live" && track.restRecordedAt < forgottenBefore(recordedAt, settings);
}

export function forget(state: PartitionState, track: Track): void {
  remove(state.resting, track);
  state.tracks.delete(track.trackId);
  track.source.tracks.delete(track);
  state.forgottenTracks.add(track.trackId);
}

/** Frees some of what is forgotten. */
export function sweep(state: PartitionState, recordedAt: number, settings: LiveSettings): void {
  forgetRested(state, forgottenBefore(recordedAt, settings), SWEPT_PER_MESSAGE);
}

/**
 * Frees some of what is forgotten while no message comes for it: the tracks of data sources that fell silent, and the
 * data sources themselves. To be called again and again; `most` is what one call may cost.
 */
export function forgetIdle(
  state: PartitionState,
  { wallNowMs, caughtUp }: Pick<ExpiryQuestion, "wallNowMs" | "caughtUp">,
  settings: LiveSettings,
  most = SWEPT_PER_CALL,
): void {
  const nextRecordedAt = caughtUp ? Math.max(state.recordedAt, wallNowMs - CLOCK_DIFFERENCE_MS) : state.recordedAt;
  const before = forgottenBefore(nextRecordedAt, settings);
  forgetRested(state, before, most);
  for (let looked = 0; looked < most; looked++) {
    const next = state.sourceCursor.next();
    if (next.done) {
      state.sourceCursor = state.sources.values();
      return;
    }
    if (isIdle(next.value, before)) forgetSource(state, next.value);
  }
}

/** A data source heard again after so long goes on without its clock, whether it was forgotten meanwhile or not. */
export function isOutOfMind(source: Source, recordedAt: number, settings: LiveSettings): boolean {
  return source.recordedAt < forgottenBefore(recordedAt, settings);
}

function isIdle({ recordedAt, tracks, held }: Source, before: number): boolean {
  return tracks.size === 0 && held.length === 0 && !(recordedAt >= before);
}

/** A data source with zones is kept, without anything that it sent. */
function forgetSource(state: PartitionState, source: Source): void {
  if (isKnown(source.recordedAt)) state.dirtySources.add(source);
  source.clock = Number.NaN;
  source.recordedAt = Number.NaN;
  source.pendingEnds.clear();
  if (source.zones.size === 0) state.sources.delete(source.dataSourceId);
}

/** Bounds the number of resting tracks: the one that has rested longest goes. Those to be swept anyway go first. */
export function makeRoom(state: PartitionState, { rememberedTracks }: LiveSettings): void {
  const { resting } = state;
  while (resting.size > rememberedTracks && resting.first !== null) forget(state, resting.first);
}

function forgetRested(state: PartitionState, before: number, most: number): void {
  for (let freed = 0; freed < most; freed++) {
    const { first } = state.resting;
    if (first === null || first.restRecordedAt >= before) return;
    forget(state, first);
  }
}
