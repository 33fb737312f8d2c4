// Decides which tracks and data sources the fold forgets. The decision uses only the broker times of messages and the
// number of ended tracks, so every fold of the log decides the same at every message. The memory itself may be freed
// later.
import type { ExpiryQuestion } from "./expiry.ts";
import { dropStays } from "./geofence-stays.ts";
import { isKnown } from "./known.ts";
import { keepOwedEnd } from "./owed-ends.ts";
import { forgetPast } from "./past.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import { remove } from "./track-list.ts";
import { removeTrack } from "./twins.ts";
import type { LiveSettings } from "./types.ts";

/**
 * The maximum work to free tracks per message (`workOf`): more than a message usually adds, and little enough to cost
 * little.
 */
const SWEPT_PER_MESSAGE = 50;
/** The maximum work to free tracks, and the maximum number of data sources to check, per call: about a millisecond. */
const SWEPT_PER_CALL = 1_000;
/**
 * The maximum number of tracks to forget when one comes to rest. There is more than one only after a start with a
 * smaller `rememberedTracks`.
 */
const FORGOTTEN_PER_REST = 10;
/**
 * The clock of this process may be this far ahead of the broker's. Without this margin, a track could be freed that the
 * next message would still find.
 */
const CLOCK_DIFFERENCE_MS = 60_000;

/** A message recorded at `recordedAt` no longer finds tracks that came to rest before the returned broker time. */
const forgottenBefore = (recordedAt: number, { forgetAfterMs }: LiveSettings): number => recordedAt - forgetAfterMs;

export function isForgotten(track: Track, recordedAt: number, settings: LiveSettings): boolean {
  return track.phase !== "live" && track.restRecordedAt < forgottenBefore(recordedAt, settings);
}

export function forget(state: PartitionState, track: Track): void {
  keepOwedEnd(state, track);
  remove(state.resting, track);
  dropStays(state, track);
  track.slot?.forgotten();
  track.slot = null;
  forgetPast(state, track);
  removeTrack(state, track);
}

/** Frees some of the forgotten tracks. */
export function sweep(state: PartitionState, recordedAt: number, settings: LiveSettings): void {
  forgetRested(state, forgottenBefore(recordedAt, settings), SWEPT_PER_MESSAGE);
}

/**
 * Frees some of the state that no message sweeps: the forgotten tracks of silent data sources, and the data sources
 * themselves. The caller repeats it; `most` bounds the work of one call.
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
  for (let visited = 0; visited < most; visited++) {
    const next = state.sourceCursor.next();
    if (next.done) {
      state.sourceCursor = state.sources.values();
      return;
    }
    if (isIdle(next.value, before)) forgetSource(state, next.value);
  }
}

/**
 * @returns true when the data source was silent for so long that it starts without a clock, whether its memory was
 * freed meanwhile or not.
 */
export function isForgettable(source: Source, recordedAt: number, settings: LiveSettings): boolean {
  return source.recordedAt < forgottenBefore(recordedAt, settings);
}

function isIdle({ recordedAt, tracks, held }: Source, before: number): boolean {
  return tracks.size === 0 && held.length === 0 && !(recordedAt >= before);
}

/** Forgets everything that the data source sent. The data source itself remains while it has zones. */
function forgetSource(state: PartitionState, source: Source): void {
  if (isKnown(source.recordedAt)) state.dirtySources.add(source);
  source.clock = Number.NaN;
  source.recordedAt = Number.NaN;
  source.pendingEnds.clear();
  if (source.zones.size === 0) state.sources.delete(source.dataSourceId);
}

/** Bounds the number of resting tracks: the one that has rested longest goes first. */
export function forgetOldest(state: PartitionState, { rememberedTracks }: LiveSettings): void {
  const { resting } = state;
  for (let forgotten = 0; forgotten < FORGOTTEN_PER_REST; forgotten++) {
    if (resting.size <= rememberedTracks || resting.first === null) return;
    forget(state, resting.first);
  }
}

function forgetRested(state: PartitionState, before: number, most: number): void {
  for (let work = 0; work < most; ) {
    const { first } = state.resting;
    if (first === null || first.restRecordedAt >= before) return;
    work += workOf(first);
    forget(state, first);
  }
}

/** Counts the track and everything that is freed with it. */
const workOf = ({ stays, history, sequence }: Track): number => 1 + stays.length + history.length + sequence.length;
