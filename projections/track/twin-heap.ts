// Tracks with one id as a heap: the first one is the track seen last. A change costs a few comparisons, however many
// data sources have a track with the id.
import { isSeenLater, type Sighting } from "./seen-last.ts";

/** A track in a heap, or an object that stands for it. */
export interface Twin<T> {
  /** The tracks with this id, this one included. Null when there is no other one. */
  twins: T[] | null;
  /** The index in `twins`. */
  twinAt: number;
}

export interface TwinHeap<T> {
  add(twins: T[], track: T): void;
  /** Must be called when a track has been seen again. */
  raise(twins: T[], track: T): void;
  remove(twins: T[], track: T): void;
}

export function createTwinHeap<T extends Twin<T>>(sightingOf: (track: T) => Sighting): TwinHeap<T> {
  const isLater = (track: T, other: T): boolean => isSeenLater(sightingOf(track), sightingOf(other));

  function rise(twins: T[], track: T, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = twins[above];
      if (other === undefined || !isLater(track, other)) break;
      put(twins, other, at);
      at = above;
    }
    put(twins, track, at);
  }

  function sink(twins: T[], track: T, from: number): void {
    let at = from;
    for (;;) {
      const [left, right] = [twins[2 * at + 1], twins[2 * at + 2]];
      const later = left !== undefined && right !== undefined && isLater(right, left) ? right : left;
      if (later === undefined || isLater(track, later)) break;
      const below = later.twinAt;
      put(twins, later, at);
      at = below;
    }
    put(twins, track, at);
  }

  return {
    add(twins, track) {
      track.twins = twins;
      rise(twins, track, twins.length);
    },
    raise: (twins, track) => rise(twins, track, track.twinAt),
    remove(twins, track) {
      track.twins = null;
      const last = twins.pop();
      if (last === undefined || last === track) return;
      sink(twins, last, track.twinAt);
      rise(twins, last, last.twinAt);
    },
  };
}

function put<T extends Twin<T>>(twins: T[], track: T, at: number): void {
  twins[at] = track;
  track.twinAt = at;
}
