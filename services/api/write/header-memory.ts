// Headers of tracks in the memory of one instance.
import { LRUCache } from "lru-cache";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { headerCharacters, MEAN_CHARACTERS, type TrackHeader } from "../../../projections/track/header.ts";

export interface HeaderMemory {
  get(trackId: string): TrackHeader | undefined;
  /** Returns the headers that may be the one of this track: another data source may have a track with its id. */
  candidates(ref: TrackRef): (TrackHeader | undefined)[];
  /** From now on, `get` returns this header for its id. */
  keep(header: TrackHeader): TrackHeader;
  /** Keeps a header for its data source only. */
  keepOfRef(header: TrackHeader): void;
}

export function createHeaderMemory(maxTracks: number): HeaderMemory {
  const byId = createHeaderCache(maxTracks);
  // Keyed by data source and id. `get` does not read it: another data source may have a track with the same id.
  const byRef = createHeaderCache(maxTracks);
  return {
    get: (trackId) => byId.get(trackId),
    candidates: (ref) => [byRef.get(trackKeyOf(ref)), byId.get(ref.trackId)],
    keep(header) {
      byId.set(header.trackId, header);
      byRef.delete(trackKeyOf(header));
      return header;
    },
    keepOfRef(header) {
      if (byId.get(header.trackId) !== header) byRef.set(trackKeyOf(header), header);
    },
  };
}

const createHeaderCache = (maxTracks: number) =>
  new LRUCache<string, TrackHeader>({
    // The cache is limited in characters as well as in tracks, because one header may have 64 KiB of metadata and 64
    // KiB of properties. With `max` in place of the smallest size it would allocate 2 MB before it has a track.
    maxSize: maxTracks * MEAN_CHARACTERS,
    sizeCalculation: (header) => Math.max(MEAN_CHARACTERS, headerCharacters(header)),
  });
