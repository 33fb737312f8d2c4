// What is no longer remembered. The rule goes by the broker's time of messages alone, so every fold of the log has the
// same answer at every message; when the memory is freed is another matter, and may be later.
import type { PartitionState, Track } from "./state.ts";
import type { LiveSettings } from "./types.ts";

/** More than one message puts to rest, few enough not to be felt. */
const SWEPT_PER_MESSAGE = 10;

/** What began to rest before this broker time is forgotten when a message of `recordedAt` comes. */
const forgottenBefore = (recordedAt: number, { forgetAfterMs }: LiveSettings): number => recordedAt - forgetAfterMs;

export function isForgotten(track: Track, recordedAt: number, settings: LiveSettings): boolean {
  return track.phase !== "live" && track.restRecordedAt < forgottenBefore(recordedAt, settings);
}

export function forget(state: PartitionState, track: Track): void {
  state.resting.delete(track);
  state.tracks.delete(track.trackId);
  track.source.tracks.delete(track);
  state.forgottenTracks.add(track.trackId);
}

/** Frees some of what is forgotten. */
export function sweep(state: PartitionState, recordedAt: number, settings: LiveSettings): void {
  forgetRested(state, forgottenBefore(recordedAt, settings), SWEPT_PER_MESSAGE);
}

/** Keeps the number of resting tracks: the one that has rested longest goes. Those to be swept anyway go first. */
export function makeRoom(state: PartitionState, { rememberedTracks }: LiveSettings): void {
  for (const oldest of state.resting) {
    if (state.resting.size <= rememberedTracks) return;
    forget(state, oldest);
  }
}

function forgetRested(state: PartitionState, before: number, most: number): void {
  let left = most;
  for (const track of state.resting) {
    if (left-- === 0 || track.restRecordedAt >= before) return;
    forget(state, track);
  }
}
