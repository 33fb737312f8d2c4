// Finds the tracks that are due to expire. An expiry takes effect only when the fold reads it back from the log.
import type { TrackExpired } from "../../schemas/events.ts";
import { markTrack } from "./create-state.ts";
import { type NewestActivity, newestHeld } from "./hold.ts";
import { noteWrittenEnd, owedExpiry, settleEnd } from "./owed-ends.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import type { LiveSettings } from "./types.ts";

/** The time for which a caller looks for expiries, and the part of the log that it has folded. */
export interface ExpiryQuestion {
  /** The time of the log's clock, in ms of broker time. This clock advances even while no messages come. */
  readonly nowMs: number;
  /** Everything that the log held at `nowMs` has been folded. */
  readonly caughtUp: boolean;
  /** Camera-log offset up to which, exclusive, the log has been folded. */
  readonly readUpTo: number;
}

/**
 * Finds the tracks whose newest detection was recorded longer than `trackTtlMs` ago. The log's own clock measures this
 * time: the broker time of the newest folded message or, once the whole log is folded, `nowMs`. Before that, unread
 * messages may contain detections of the track. Event times do not count, because another track of the same camera may
 * be a day ahead.
 * @returns each track once per end time, after a restart perhaps again. The result has at most `most` tracks; the
 * caller must call again for the rest.
 */
export function dueExpiries(
  state: PartitionState,
  question: ExpiryQuestion,
  settings: LiveSettings,
  most = Number.POSITIVE_INFINITY,
): TrackExpired[] {
  const due = takeOwed(state, most);
  const silentUpTo = latestSilence(state, question, settings);
  if (state.quietSince > silentUpTo) return due;
  let quietSince = Number.POSITIVE_INFINITY;
  const visit = (source: Source, trackId: string, { at, recordedAt }: NewestActivity): boolean => {
    const { dataSourceId, pendingEnds, tracks } = source;
    if (pendingEnds.get(trackId) === at) return true;
    if (recordedAt > silentUpTo) {
      quietSince = Math.min(quietSince, recordedAt);
      return true;
    }
    if (due.length >= most) {
      quietSince = Number.NEGATIVE_INFINITY;
      return false;
    }
    pendingEnds.set(trackId, at);
    const track = tracks.get(trackId);
    if (track !== undefined) noteWrittenEnd(state, track, at);
    due.push({ trackId, dataSourceId, endTime: at, reason: "expired", readUpTo: question.readUpTo });
    return true;
  };
  const firstLater = visitSilent(state, silentUpTo, visit);
  if (firstLater !== null) quietSince = Math.min(quietSince, firstLater.recordedAt);
  state.quietSince = quietSince;
  return due.sort((a, b) => a.endTime - b.endTime || (a.trackId < b.trackId ? -1 : 1));
}

/**
 * The latest known time at which a message of any camera was recorded.
 * @returns undefined when there is none.
 */
export function newestRecordedAt({ sources }: PartitionState): number | undefined {
  let newest: number | undefined;
  for (const { recordedAt } of sources.values()) {
    if (recordedAt > (newest ?? Number.NEGATIVE_INFINITY)) newest = recordedAt;
  }
  return newest;
}

/** Takes the expiries of tracks that the fold itself ended (silent-tracks.ts). */
function takeOwed(state: PartitionState, most: number): TrackExpired[] {
  const owed: TrackExpired[] = [];
  for (const track of state.owing) {
    if (owed.length >= most) break;
    owed.push(owedExpiry(track));
    settleEnd(state, track);
    markTrack(state, track);
  }
  return owed;
}

/** @returns true when `dueExpiries` would return more if the whole log had been folded. Changes nothing. */
export function hasSilent(state: PartitionState, nowMs: number, { trackTtlMs }: LiveSettings): boolean {
  const silentUpTo = nowMs - trackTtlMs;
  if (state.quietSince > silentUpTo) return false;
  let found = false;
  visitSilent(state, silentUpTo, ({ pendingEnds }, trackId, { at, recordedAt }) => {
    found = recordedAt <= silentUpTo && pendingEnds.get(trackId) !== at;
    return !found;
  });
  return found;
}

/**
 * @returns the broker time at which silence is too long: a track expires when its newest detection was recorded then or
 * earlier.
 */
function latestSilence(
  { recordedAt }: PartitionState,
  { nowMs, caughtUp }: ExpiryQuestion,
  { trackTtlMs }: LiveSettings,
): number {
  // The next message may have the same broker time as the newest folded one, so the log's clock must be one millisecond
  // past the limit.
  const byLog = recordedAt - trackTtlMs - 1;
  return caughtUp ? Math.max(byLog, nowMs - trackTtlMs) : byLog;
}

/**
 * Visits the tracks that may have been silent since then, until `visit` returns false. The live tracks are in the order
 * of the log, so the visit ends at the first one with a later detection: a partition may have thousands of live tracks,
 * and some of them end all the time. It does not end at one whose time the clock of the log has not reached: the
 * broker's clock was set back, and the tracks behind that one are as old as they look.
 * @returns the live track at which the visit ended, or null when it reached the last one.
 */
function visitSilent(
  state: PartitionState,
  silentUpTo: number,
  visit: (source: Source, trackId: string, newest: NewestActivity) => boolean,
): Track | null {
  const holding = new Map<Source, Map<string, NewestActivity>>();
  for (const source of state.sources.values()) if (source.held.length > 0) holding.set(source, newestHeld(source));
  const isLater = ({ recordedAt }: Track) => recordedAt > silentUpTo && recordedAt <= state.recordedAt;
  let track = state.live.first;
  for (; track !== null && !isLater(track); track = track.next) {
    const { source, trackId, lastSeen, recordedAt } = track;
    const held = holding.get(source)?.get(trackId);
    const newest = {
      at: Math.max(lastSeen, held?.at ?? lastSeen),
      recordedAt: Math.max(recordedAt, held?.recordedAt ?? recordedAt),
    };
    if (!visit(source, trackId, newest)) return track;
  }
  // The other held detections belong to tracks that are not live. The fold releases them when it reads the expiry back.
  for (const [source, all] of holding) {
    for (const [trackId, newest] of all) {
      if (source.tracks.get(trackId)?.phase !== "live" && !visit(source, trackId, newest)) return track;
    }
  }
  return track;
}
