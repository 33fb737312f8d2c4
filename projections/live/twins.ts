// Tracks of several data sources that have the same id. A query by id alone means the one seen last. That track leads,
// and only it is stored under the plain id.
import { twinField } from "../../schemas/redis-keys.ts";
import { createTwinHeap } from "../track/twin-heap.ts";
import { markTrack } from "./create-state.ts";
import type { PartitionState, Track } from "./state.ts";

const heap = createTwinHeap<Track>(({ source, lastSeen }) => ({ dataSourceId: source.dataSourceId, lastSeen }));

/** Adds a track that has just been created, or read back. */
export function addTrack(state: PartitionState, track: Track): void {
  const { trackId, source } = track;
  source.tracks.set(trackId, track);
  const leader = state.tracks.get(trackId);
  if (leader === undefined) {
    state.tracks.set(trackId, track);
    return;
  }
  if (leader.twins === null) heap.add([], leader);
  const twins = leader.twins ?? [];
  heap.add(twins, track);
  // A version with another rule may have stored the two tracks the other way round. Each then takes the field of the
  // other, so both must be written.
  for (const twin of [leader, track]) markTrack(state, twin);
  promote(state, twins[0] ?? track);
}

/** Makes a track that was just seen the leading one of its id, when it is the one seen last. */
export function lead(state: PartitionState, track: Track): void {
  const { trackId, twins } = track;
  if (twins === null) return;
  const before = state.tracks.get(trackId);
  if (before === track) return;
  heap.raise(twins, track);
  if (twins[0] !== track) return;
  if (before !== undefined) markTrack(state, before);
  promote(state, track);
}

export function removeTrack(state: PartitionState, track: Track): void {
  const { trackId, twins, source } = track;
  state.emptiedFields.add(trackFieldOf(state, track));
  source.tracks.delete(trackId);
  if (twins !== null) heap.remove(twins, track);
  const next = twins?.[0];
  if (state.tracks.get(trackId) === track) {
    state.tracks.delete(trackId);
    if (next !== undefined) promote(state, next);
  }
  if (twins?.length === 1 && next !== undefined) next.twins = null;
}

/** The field of the track in the store. */
export const trackFieldOf = (state: PartitionState, track: Track): string =>
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
