// The states in signals, as REST answers them, without the names that the catalog gives.
import { isKnown } from "../live/known.ts";
import type { Fold, LiveZone, Track } from "../live/state.ts";
import { storedIntersection, storedTrack } from "../live/stored.ts";
import type { TrackState, ZoneState } from "../live/view-types.ts";
import { type Visit, viewOfTrack, viewOfZone, type ZoneUpdate } from "../live/views.ts";
import { interactionsOf } from "./encounters.ts";
import { fitting, MOST_CHARACTERS } from "./fitting.ts";
import type { BatchListener, ZoneListener } from "./listeners.ts";
import { wants } from "./raise.ts";

/** Tracks of a crowded zone that its state lists. */
const MOST_VISITS = 1_000;

export const trackText = (track: Track): string =>
  fitting(viewOfTrack(storedTrack(track)), MOST_CHARACTERS, shorterTrack);

/** With its interactions with tracks that the subscription wants, too. */
export function batchText(track: Track, batch: BatchListener): string {
  const interactions = interactionsOf(track, batch.thresholds, (tag) => wants(batch, tag.toLowerCase()));
  return fitting({ ...viewOfTrack(storedTrack(track)), interactions }, MOST_CHARACTERS, shorterTrack);
}

export interface SeenZone {
  readonly listener: ZoneListener;
  /** How many tracks that it wants are in the zone. */
  readonly count: number;
  readonly update: ZoneUpdate;
}

/** The zone as the subscription sees it. */
export function zoneText(fold: Fold, zone: LiveZone, { listener, count, update }: SeenZone): string {
  const visits: Visit[] = [];
  for (const track of tracksIn(fold, zone, listener)) {
    if (visits.length >= MOST_VISITS) break;
    const intersection = track.intersections.find((each) => each.zone === zone);
    if (intersection !== undefined) visits.push({ track, intersection: storedIntersection(intersection) });
  }
  const view = { ...viewOfZone(zone.definition, visits, update), track_count: count };
  return fitting(count > visits.length ? { ...view, truncated: true } : view, MOST_CHARACTERS, shorterZone);
}

/** The active tracks of a zone that the subscription wants. */
export function* tracksIn({ state }: Fold, zone: LiveZone, listener: ZoneListener): Generator<Track, void> {
  const tracks = state.sources.get(zone.definition.dataSourceId)?.tracks;
  for (const trackId of zone.activeTracks) {
    const track = tracks?.get(trackId);
    if (track !== undefined && wants(listener, track.tag.toLowerCase())) yield track;
  }
}

/** The zones that the track is in. */
export function activeZones({ intersections }: Track): LiveZone[] {
  const zones: LiveZone[] = [];
  for (const { id, endedAt, zone } of intersections) if (id !== "" && !isKnown(endedAt)) zones.push(zone);
  return zones;
}

/** More than a polygon with the default bound of vertices. */
const LARGE_POSITION = 32 * 1024;

/** Keeps the newest half of each list, and no large polygon. */
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
