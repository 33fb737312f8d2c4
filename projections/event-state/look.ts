// Closes the event of a track that has expired since it was last looked at.
import { changed, close } from "./change.ts";
import { expiredSince, readMark, writeMark } from "./track-mark.ts";
import type { Decided, Known, Look, Moment } from "./types.ts";

export function look(state: Known, { track }: Look, { now }: Moment): Decided {
  if (state === undefined || state.state === "closed") return { state, action: "no_action" };
  const before = state.trackMark === null ? undefined : readMark(state.trackMark);
  // An event may be older than the first detection of its track, and has no track at all when callers invent ids.
  if (track === undefined && before === undefined) return { state, action: "no_action" };
  // Live state remembers an ended track for a while: one that is gone ended before that.
  if (track === undefined || (before !== undefined && expiredSince(before, track))) {
    return { state: close(state, "track_expired", now, now), action: "no_action" };
  }
  const trackMark = writeMark(track);
  return { state: trackMark === state.trackMark ? state : changed(state, { trackMark }, now), action: "no_action" };
}
