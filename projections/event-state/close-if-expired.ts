// Closes the event of a track that has expired since the last check.
import type { EventStateChanged } from "../../schemas/events.ts";
import { close, withChanges } from "./change.ts";
import { expiredSince, hasWoken, readMark, writeMark } from "./track-mark.ts";
import type { CurrentEvent, Decided, DecisionMoment, TrackSighting } from "./types.ts";

export function closeIfExpired(state: CurrentEvent, asked: TrackSighting, { now }: DecisionMoment): Decided {
  const changes = state === undefined || state.state === "closed" ? undefined : seen(state, asked, now);
  return { state: changes ?? state, action: "no_action" };
}

/** @returns undefined when nothing has happened to the track. */
function seen(state: EventStateChanged, { track, next }: TrackSighting, now: number): EventStateChanged | undefined {
  if (state.trackMark === null) {
    // An event may be older than the first detection of its track, and has no track at all when callers invent ids.
    return track === undefined ? undefined : withChanges(state, { trackMark: writeMark(track) }, now);
  }
  const before = readMark(state.trackMark);
  // After Redis has lost live state, the log is folded again. Until that has passed the mark, the live state is older
  // than the one at the mark.
  if (next < before.next) return undefined;
  // Live state keeps an ended track for a while, so a track that it does not have ended before that.
  if (track === undefined || expiredSince(before, track)) return close(state, "track_expired", now, now);
  return hasWoken(before, track) ? withChanges(state, { trackMark: writeMark(track) }, now) : undefined;
}
