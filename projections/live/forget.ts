// Decides what the fold forgets. The rule uses only the broker's time of messages, so every fold of the log has the
// same answer at every message. The memory itself may be freed later.
import { forgetEncounters } from "../signals/spans.ts";
import type { ExpiryQuestion } from "./expiry.ts";
import { dropStays } from "./geofence-stays.ts";
import { isKnown } from "./known.ts";
import { keepOwedEnd } from "./owed-ends.ts";
import { forgetPast } from "./past.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import { remove } from "./track-list.ts";
import { removeTrack } from "./twins.ts";
import type { LiveSettings } from "./types.ts";

/** More tracks than one message usually puts to rest, and few enough to cost little. */
const SWEPT_PER_MESSAGE = 10;
/** Tracks, and data sources looked at, per call: about a millisecond of work. */
const SWEPT_PER_CALL = 1_000;
/** Our clock may be this far ahead of the broker's, and the next message must still find what it would remember. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A message of `recordedAt` no longer finds a track that began to rest before this broker time. */
const forgottenBefore = (recordedAt: number, { forgetAfterMs }: LiveSettings): number => recordedAt - forgetAfterMs;

export function isForgotten(track: Track, recordedAt: number, settings: LiveSettings): boolean {
  return track.phase !== "live" && track.restRecordedAt < forgottenBefore(recordedAt, settings);
}

export function forget(state: PartitionState, track: Track): void {
  keepOwedEnd(state, track);
  remove(state.resting, track);
  dropStays(state, track);
  forgetEncounters(track);
  forgetPast(state, track);
  removeTrack(state, track);
}

/** Frees some of the forgotten tracks. */
export function sweep(state: PartitionState, recordedAt: number, settings: LiveSettings): void {
  forgetRested(state, forgottenBefore(recordedAt, settings), SWEPT_PER_MESSAGE);
}

/**
 * Frees some of what no message sweeps: the forgotten tracks of silent data sources, and the data sources themselves.
 * The caller repeats it; `most` bounds the cost of one call.
 */
export function forgetIdle(
  state: PartitionState,
  { nowMs, caughtUp }: Pick<ExpiryQuestion, "nowMs" | "caughtUp">,
  settings: LiveSettings,
  most = SWEPT_PER_CALL,
): void {
  const nextRecordedAt = caughtUp ? Math.max(state.recordedAt, nowMs - CLOCK_DIFFERENCE_MS) : state.recordedAt;
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

/** A data source heard again after so long starts without a clock, whether its memory was freed meanwhile or not. */
export function isOutOfMind(source: Source, recordedAt: number, settings: LiveSettings): boolean {
  return source.recordedAt < forgottenBefore(recordedAt, settings);
}

function isIdle({ recordedAt, tracks, held }: Source, before: number): boolean {
  return tracks.size === 0 && held.length === 0 && !(recordedAt >= before);
}

/** Keeps a data source that has zones, but nothing that it sent. */
function forgetSource(state: PartitionState, source: Source): void {
  if (isKnown(source.recordedAt)) state.dirtySources.add(source);
  source.clock = Number.NaN;
  source.recordedAt = Number.NaN;
  source.pendingEnds.clear();
  if (source.zones.size === 0) state.sources.delete(source.dataSourceId);
}

/** Bounds the number of resting tracks: the one that has rested longest goes first. */
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
