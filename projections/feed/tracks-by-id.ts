// The remembered tracks by id alone. Nearly every id has one track, which then needs no list.
import { createTwinHeap, type Twin } from "../track/twin-heap.ts";
import { lastDetectionOf, type RememberedTrack } from "./remembered-track.ts";

/** The place of a track in the memory. */
export interface MemorySlot extends Twin<MemorySlot> {
  readonly key: string;
  track: RememberedTrack;
  /** Characters of the track's header. */
  characters: number;
}

export interface TracksById {
  /** @returns the track with this id that was seen last. */
  seenLast(id: string): RememberedTrack | undefined;
  /** Makes the slot of a track that has none. */
  add(key: string, track: RememberedTrack): MemorySlot;
  /** Must be called when the track has a newer detection. */
  raise(slot: MemorySlot | undefined): void;
  remove(slot: MemorySlot): void;
}

const heap = createTwinHeap<MemorySlot>(({ track }) => ({
  dataSourceId: track.dataSourceId,
  lastSeen: lastDetectionOf(track),
}));

export function createTracksById(): TracksById {
  const leaders = new Map<string, MemorySlot>();

  const lead = (slot: MemorySlot | undefined): void => {
    if (slot !== undefined) leaders.set(slot.track.trackId, slot);
  };

  return {
    seenLast: (id) => leaders.get(id)?.track,
    add(key, track) {
      const slot: MemorySlot = { key, track, characters: 0, twins: null, twinAt: 0 };
      const leader = leaders.get(track.trackId);
      if (leader === undefined) {
        lead(slot);
        return slot;
      }
      const twins = leader.twins ?? [];
      if (leader.twins === null) heap.add(twins, leader);
      heap.add(twins, slot);
      lead(twins[0]);
      return slot;
    },
    raise(slot) {
      if (slot?.twins == null) return;
      heap.raise(slot.twins, slot);
      lead(slot.twins[0]);
    },
    remove(slot) {
      const { twins, track } = slot;
      if (twins === null) {
        leaders.delete(track.trackId);
        return;
      }
      heap.remove(twins, slot);
      const [next] = twins;
      lead(next);
      if (twins.length === 1 && next !== undefined) next.twins = null;
    },
  };
}
