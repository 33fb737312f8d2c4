// Tracks of several data sources that have the same id. A question by id alone means the one seen last: it leads, and only
// it is stored under the plain id.
import { twinField } from "../../schemas/redis-keys.ts";
import { markTrack } from "./create-state.ts";
import type { PartitionState, Track } from "./state.ts";

/** A track that has just been created, or read back. */
export function addTrack(state: PartitionState, track: Track): void {
  const { trackId, source } = track;
  source.tracks.set(trackId, track);
  const leader = state.tracks.get(trackId);
  if (leader === undefined) {
    state.tracks.set(trackId, track);
    return;
  }
  leader.twins ??= new Set([leader]);
  track.twins = leader.twins;
  track.twins.add(track);
  if (isLater(track, leader)) lead(state, track);
}

/** The track has been seen. */
export function lead(state: PartitionState, track: Track): void {
  if (track.twins === null) return;
  const before = state.tracks.get(track.trackId);
  if (before === track) return;
  if (before !== undefined) markTrack(state, before);
  promote(state, track);
}

export function removeTrack(state: PartitionState, track: Track): void {
  const { trackId, twins, source } = track;
  state.emptiedFields.add(fieldOf(state, track));
  source.tracks.delete(trackId);
  track.twins = null;
  twins?.delete(track);
  if (state.tracks.get(trackId) === track) {
    state.tracks.delete(trackId);
    const next = latestOf(twins ?? []);
    if (next !== undefined) promote(state, next);
  }
  if (twins?.size !== 1) return;
  for (const last of twins) last.twins = null;
}

/** The field of the track in the store. */
export const fieldOf = (state: PartitionState, track: Track): string =>
  state.tracks.get(track.trackId) === track ? track.trackId : twinField(track.source.dataSourceId, track.trackId);

export function* allTracks({ sources }: PartitionState): Generator<Track, void> {
  for (const { tracks } of sources.values()) yield* tracks.values();
}

function promote(state: PartitionState, track: Track): void {
  const { trackId, source } = track;
  state.tracks.set(trackId, track);
  state.emptiedFields.add(twinField(source.dataSourceId, trackId));
  markTrack(state, track);
}

function latestOf(tracks: Iterable<Track>): Track | undefined {
  let latest: Track | undefined;
  for (const track of tracks) if (latest === undefined || isLater(track, latest)) latest = track;
  return latest;
}

/** By the place in the log of the last detection, or before the first one, of the message that named the track first. */
function isLater(track: Track, other: Track): boolean {
  const offsets = offsetOf(track) - offsetOf(other);
  return offsets === 0 ? indexOf(track) > indexOf(other) : offsets > 0;
}

const isSeen = ({ seenOffset }: Track): boolean => seenOffset >= 0;
const offsetOf = (track: Track): number => (isSeen(track) ? track.seenOffset : track.restOffset);
const indexOf = (track: Track): number => (isSeen(track) ? track.seenIndex : track.restIndex);
