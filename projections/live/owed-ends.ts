// Tracks that the fold itself has ended, and whose expiry is not in the log as far as it is read. The log may hold it further on,
// written by an earlier owner, so the present one writes it when it has read so far, or when the track is forgotten.
import type { TrackExpired } from "../../schemas/events.ts";
import { isKnown } from "./known.ts";
import type { PartitionState, Track } from "./state.ts";

export function oweEnd(state: PartitionState, track: Track, offset: number): void {
  track.endOwedAt = offset;
  state.owing.add(track);
}

/** The log has the expiry, something has refuted it, or the owner writes it now. */
export function settleEnd(state: PartitionState, track: Track): void {
  if (!isKnown(track.endOwedAt)) return;
  track.endOwedAt = Number.NaN;
  state.owing.delete(track);
}

/** Called before the track is forgotten. */
export function keepOwedEnd(state: PartitionState, track: Track): void {
  if (!isKnown(track.endOwedAt)) return;
  if (state.offset >= state.signalsFrom) state.endsOfForgotten.push(owedExpiry(track));
  settleEnd(state, track);
}

/** It outweighs nothing that was recorded after the message at which the fold ended the track. */
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
