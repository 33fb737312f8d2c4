// Finds the tracks that are due to expire. An expiry takes effect only when the fold reads it back from the log.
import type { TrackExpired } from "../../schemas/events.ts";
import { markTrack } from "./create-state.ts";
import { type Heard, newestHeld } from "./hold.ts";
import { owedExpiry, settleEnd } from "./owed-ends.ts";
import type { PartitionState, Source } from "./state.ts";
import type { LiveSettings } from "./types.ts";

/** The time of the question, and how much of the log is folded by then. */
export interface ExpiryQuestion {
  /** The log's clock: it goes on while no messages come. */
  readonly nowMs: number;
  /** Everything that the log held at `nowMs` has been folded. */
  readonly caughtUp: boolean;
  /** Camera-log offset up to which, exclusive, the log has been folded. */
  readonly readUpTo: number;
}

/**
 * Tracks whose newest detection was recorded longer than the time to live ago: by the log's own clock, which is the
 * broker time of its newest message, or by how that went on since. Event times do not count, because other tracks of the same
 * camera may be a day ahead. The latter proves silence only once the whole log is folded: unread messages may be
 * detections. A track is returned once per end time; after a restart perhaps again. At most `most` are returned: the caller asks
 * again for the rest.
 */
export function dueExpiries(
  state: PartitionState,
  question: ExpiryQuestion,
  settings: LiveSettings,
  most = Number.POSITIVE_INFINITY,
): TrackExpired[] {
  const due = takeOwed(state, most);
  const heardBy = latestSilence(state, question, settings);
  if (state.quietSince > heardBy) return due;
  let quietSince = Number.POSITIVE_INFINITY;
  const look = (source: Source, trackId: string, { at, recordedAt }: Heard) => {
    const { dataSourceId, pendingEnds } = source;
    if (pendingEnds.get(trackId) === at) return;
    if (recordedAt > heardBy || due.length >= most) {
      quietSince = Math.min(quietSince, recordedAt);
      return;
    }
    pendingEnds.set(trackId, at);
    due.push({ trackId, dataSourceId, endTime: at, reason: "expired", readUpTo: question.readUpTo });
  };
  lookAtAll(state, look);
  state.quietSince = quietSince;
  return due.sort((a, b) => a.endTime - b.endTime || (a.trackId < b.trackId ? -1 : 1));
}

/** When the newest message of any camera was recorded, as far as that is known; undefined = of none. */
export function newestRecordedAt({ sources }: PartitionState): number | undefined {
  let newest: number | undefined;
  for (const { recordedAt } of sources.values()) {
    if (recordedAt > (newest ?? Number.NEGATIVE_INFINITY)) newest = recordedAt;
  }
  return newest;
}

/** Ends that the fold has found itself. */
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

/** Whether `dueExpiries` would return more if the whole log had been folded. Changes nothing. */
export function hasSilent(state: PartitionState, nowMs: number, { trackTtlMs }: LiveSettings): boolean {
  const heardBy = nowMs - trackTtlMs;
  if (state.quietSince > heardBy) return false;
  let found = false;
  lookAtAll(state, ({ pendingEnds }, trackId, { at, recordedAt }) => {
    found ||= recordedAt <= heardBy && pendingEnds.get(trackId) !== at;
  });
  return found;
}

/** A track last heard at this broker time or earlier has been silent for too long. */
function latestSilence(
  { recordedAt }: PartitionState,
  { nowMs, caughtUp }: ExpiryQuestion,
  { trackTtlMs }: LiveSettings,
): number {
  // The next message may have the same broker time as the newest one, so the log's clock needs one more millisecond.
  const byLog = recordedAt - trackTtlMs - 1;
  return caughtUp ? Math.max(byLog, nowMs - trackTtlMs) : byLog;
}

function lookAtAll(state: PartitionState, look: (source: Source, trackId: string, newest: Heard) => void): void {
  const holding = new Map<Source, Map<string, Heard>>();
  for (const source of state.sources.values()) if (source.held.length > 0) holding.set(source, newestHeld(source));
  for (let track = state.live.first; track !== null; track = track.next) {
    const { source, trackId, lastSeen, recordedAt } = track;
    const held = holding.get(source)?.get(trackId);
    holding.get(source)?.delete(trackId);
    look(source, trackId, {
      at: Math.max(lastSeen, held?.at ?? lastSeen),
      recordedAt: Math.max(recordedAt, held?.recordedAt ?? recordedAt),
    });
  }
  // Held detections of tracks that are not live: the end in the log makes the fold release them.
  for (const [source, rest] of holding) for (const [trackId, newest] of rest) look(source, trackId, newest);
}
