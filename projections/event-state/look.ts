// Closes the event of a track that has expired since it was last looked at.
import type { EventStateChanged } from "../../schemas/events.ts";
import { changed, close } from "./change.ts";
import { expiredSince, hasWoken, readMark, writeMark } from "./track-mark.ts";
import type { Decided, Known, Look, Moment } from "./types.ts";

export function look(state: Known, asked: Look, { now }: Moment): Decided {
  const changes = state === undefined || state.state === "closed" ? undefined : seen(state, asked, now);
  return { state: changes ?? state, action: "no_action" };
}

/** Undefined: nothing has happened to the track. */
function seen(state: EventStateChanged, { track, next }: Look, now: number): EventStateChanged | undefined {
  if (state.trackMark === null) {
    // An event may be older than the first detection of its track, and has no track at all when callers invent ids.
    return track === undefined ? undefined : changed(state, { trackMark: writeMark(track) }, now);
  }
  const before = readMark(state.trackMark);
  // Live state is being folded anew after a loss: it does not know yet what it knew then.
  if (next < before.next) return undefined;
  // Live state remembers an ended track for a while: one that is gone ended before that.
  if (track === undefined || expiredSince(before, track)) return close(state, "track_expired", now, now);
  return hasWoken(before, track) ? changed(state, { trackMark: writeMark(track) }, now) : undefined;
}
