// Tracks that the fold itself has ended (silent-tracks.ts), and whose expiry it has not read in the log. An earlier
// owner may have written that expiry to a part of the log that is not read yet. So the present owner writes it only
// when it has read up to there, or when the track is forgotten and no earlier owner has written it.
import type { TrackExpired } from "../../schemas/events.ts";
import { markTrack } from "./create-state.ts";
import { isKnown } from "./known.ts";
import type { PartitionState, Track } from "./state.ts";

export function oweEnd(state: PartitionState, track: Track, offset: number): void {
  track.endOwedAt = offset;
  state.owing.add(track);
}

/** Must be called when the fold has read an expiry of the track. */
export function settleReadEnd(state: PartitionState, track: Track, endTime: number): void {
  const isOwed = track.lastSeen === endTime && isKnown(track.endOwedAt);
  const isWritten = track.writtenEnd === endTime;
  if (isOwed) settleEnd(state, track);
  if (isWritten) track.writtenEnd = Number.NaN;
  if (isOwed || isWritten) markTrack(state, track);
}

/** Must be called when a newer message refutes the expiry, or when the owner writes it. */
export function settleEnd(state: PartitionState, track: Track): void {
  if (!isKnown(track.endOwedAt)) return;
  track.endOwedAt = Number.NaN;
  state.owing.delete(track);
}

/** Must be called when the owner writes an expiry of a track that has not ended yet. */
export function noteWrittenEnd(state: PartitionState, track: Track, endTime: number): void {
  track.writtenEnd = endTime;
  markTrack(state, track);
}

/** Must be called before the track is forgotten. */
export function keepOwedEnd(state: PartitionState, track: Track): void {
  if (!isKnown(track.endOwedAt)) return;
  const isWritten = track.writtenEnd === track.lastSeen;
  if (!isWritten && state.offset >= state.signalsFrom) state.endsOfForgotten.push(owedExpiry(track));
  settleEnd(state, track);
}

/** Messages after the one at which the fold ended the track outweigh this expiry (`readUpTo`). */
export const owedExpiry = ({ trackId, source, lastSeen, endOwedAt }: Track): TrackExpired => ({
  trackId,
  dataSourceId: source.dataSourceId,
  endTime: lastSeen,
  reason: "expired",
  readUpTo: endOwedAt,
});

/** The ends of forgotten tracks, for the owner to write with its next round. */
export function takeEndsOfForgotten(state: PartitionState): readonly TrackExpired[] {
  const ends = state.endsOfForgotten;
  if (ends.length > 0) state.endsOfForgotten = [];
  return ends;
}
