// Finds the track of a subscribed message: as the feed has read it, in the memory of this instance, or by a look-up.
import type { RootDeps } from "../../../projections/feed/kind.ts";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import type { ShownTrack, TrackHeader } from "../../../projections/track/header.ts";
import type { TopicReader } from "./read-topic.ts";

export interface TrackStores {
  /**
   * Answers without a wait.
   * @returns undefined when a look-up may still find the track.
   */
  readonly knownTrack: (id: string) => ShownTrack | undefined;
  /** Leaves out unknown tracks. */
  readonly findTracks: (refs: readonly TrackRef[]) => Promise<readonly TrackHeader[]>;
  /** Leaves out unknown tracks. */
  readonly findTracksById: (ids: readonly string[]) => Promise<ReadonlyMap<string, TrackHeader>>;
}

/**
 * `track` returns the track in the state that the feed has read, or else that of `knownTrack`. A track of another data
 * source with the same id is not returned.
 */
export interface ShownTracks extends Pick<RootDeps, "track"> {
  /** Resolves with the track, by a look-up if it is not known without a wait. */
  findTrack(ref: TrackRef): Promise<ShownTrack | undefined>;
  /** For callers that do not know the data source. */
  findTrackById(id: string): Promise<ShownTrack | undefined>;
}

export function createShownTracks(readers: () => Iterable<TopicReader>, stores: TrackStores): ShownTracks {
  function track(ref: TrackRef): ShownTrack | undefined {
    const known = firstOf(readers(), (reader) => reader.track(ref)) ?? stores.knownTrack(ref.trackId);
    return known?.dataSourceId === ref.dataSourceId ? known : undefined;
  }

  return {
    track,
    findTrack: async (ref) => track(ref) ?? (await stores.findTracks([ref]))[0],
    findTrackById: async (id) =>
      firstOf(readers(), (reader) => reader.trackById(id)) ??
      stores.knownTrack(id) ??
      (await stores.findTracksById([id])).get(id),
  };
}

function firstOf<Found>(readers: Iterable<TopicReader>, ask: (reader: TopicReader) => Found | undefined) {
  for (const reader of readers) {
    const found = ask(reader);
    if (found !== undefined) return found;
  }
  return undefined;
}
