// The states in signals, as the REST interface returns them, without the names from the catalog.
import type { Fold, LiveZone, Track } from "../../live/state.ts";
import { storedIntersection, storedTrack } from "../../live/stored.ts";
import type { TrackState, ZoneState } from "../../live/view-types.ts";
import { type Visit, viewOfTrack, viewOfZone, type ZoneUpdate } from "../../live/views.ts";
import { interactionsOf } from "./encounters.ts";
import { fitting, MOST_CHARACTERS } from "./fitting.ts";
import { wants } from "./raise.ts";
import type { BatchSubscriber, ZoneSubscriber } from "./subscribers.ts";

/** The maximum number of tracks of a zone that its state lists. */
const MOST_VISITS = 1_000;

export const trackText = (track: Track): string =>
  fitting(viewOfTrack(storedTrack(track)), MOST_CHARACTERS, shorterTrack);

/** The state of a track, with its interactions with tracks that the subscription wants. */
export function batchText(track: Track, batch: BatchSubscriber): string {
  const interactions = interactionsOf(track, batch.thresholds, (tag) => wants(batch, tag.toLowerCase()));
  return fitting({ ...viewOfTrack(storedTrack(track)), interactions }, MOST_CHARACTERS, shorterTrack);
}

export interface SeenZone {
  readonly subscriber: ZoneSubscriber;
  /** Number of tracks in the zone that the subscription wants. */
  readonly count: number;
  readonly update: ZoneUpdate;
}

/** The state of a zone as the subscription sees it. */
export function zoneText(fold: Fold, zone: LiveZone, { subscriber, count, update }: SeenZone): string {
  const visits: Visit[] = [];
  for (const track of tracksIn(fold, zone, subscriber)) {
    if (visits.length >= MOST_VISITS) break;
    const intersection = track.intersections.find((each) => each.zone === zone);
    if (intersection !== undefined) visits.push({ track, intersection: storedIntersection(intersection) });
  }
  const view = { ...viewOfZone(zone.definition, visits, update), track_count: count };
  return fitting(count > visits.length ? { ...view, truncated: true } : view, MOST_CHARACTERS, shorterZone);
}

/** The active tracks of a zone that the subscription wants. */
export function* tracksIn({ state }: Fold, zone: LiveZone, subscriber: ZoneSubscriber): Generator<Track, void> {
  const tracks = state.sources.get(zone.definition.dataSourceId)?.tracks;
  for (const trackId of zone.activeTracks) {
    const track = tracks?.get(trackId);
    if (track !== undefined && wants(subscriber, track.tag.toLowerCase())) yield track;
  }
}

/** Longer than the text of a polygon with the default limit of vertices. */
const LARGE_POSITION = 32 * 1024;

/** Keeps half of each list, which is the newest half where a list is sorted by time. Drops a large polygon. */
function shorterTrack(state: TrackState): TrackState {
  const { position, zones, interactions } = state;
  const isLarge = JSON.stringify(position).length > LARGE_POSITION;
  return {
    ...state,
    position: isLarge ? { ...position, polygon: null } : position,
    zones: {
      active: halfOf(zones.active),
      history: zones.history.slice(0, Math.floor(zones.history.length / 2)),
      sequence: zones.sequence.slice(Math.ceil(zones.sequence.length / 2)),
    },
    interactions: interactions.slice(Math.ceil(interactions.length / 2)),
  };
}

const shorterZone = (state: ZoneState): ZoneState => ({ ...state, active_tracks: halfOf(state.active_tracks) });

function halfOf<T>(byId: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const entries = Object.entries(byId);
  return Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2)));
}
