// The state as JSON texts by id, and back. A batch rewrites only what it touched; a zone's text changes when a track
// enters or leaves, not with every detection inside.

import type { Zone } from "../../schemas/events.ts";
import { createPartition, createTrack, sourceOf } from "./create-state.ts";
import { isKnown } from "./known.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import { parseSource, parseTrack, parseZone, storeSource, storeTrack, storeZone } from "./stored.ts";
import type { Touched } from "./types.ts";
import { createZone } from "./zone-changes.ts";

/** JSON texts as takeTouched and everything wrote them, in any order. */
export type Stored = Readonly<Record<keyof Touched, Iterable<string>>>;

/** What was changed since the last call. Written over what earlier calls gave, it equals `everything`. */
export function takeTouched(state: PartitionState): Touched {
  const touched: Touched = { tracks: new Map(), sources: new Map(), zones: new Map() };
  // First, because a forgotten id may have come back within the batch.
  for (const trackId of state.forgottenTracks) touched.tracks.set(trackId, null);
  for (const track of state.dirtyTracks) {
    track.dirty = false;
    if (state.tracks.get(track.trackId) === track) touched.tracks.set(track.trackId, storeTrack(track));
  }
  for (const source of state.dirtySources) touched.sources.set(source.dataSourceId, storeSource(source));
  for (const zoneId of state.dirtyZones) {
    const zone = state.zones.get(zoneId);
    touched.zones.set(zoneId, zone === undefined ? null : storeZone(zone));
  }
  state.forgottenTracks.clear();
  state.dirtyTracks.length = 0;
  state.dirtySources.clear();
  state.dirtyZones.clear();
  return touched;
}

/** The whole state, for rewriting a lost store. */
export function everything(state: PartitionState): Touched {
  const touched: Touched = { tracks: new Map(), sources: new Map(), zones: new Map() };
  for (const track of state.tracks.values()) touched.tracks.set(track.trackId, storeTrack(track));
  for (const source of state.sources.values()) {
    if (isKnown(source.recordedAt)) touched.sources.set(source.dataSourceId, storeSource(source));
  }
  for (const [zoneId, zone] of state.zones) touched.zones.set(zoneId, storeZone(zone));
  return touched;
}

/** Goes on exactly as the state that was stored would have. */
export function restore(partition: number, stored: Stored): PartitionState {
  const state = createPartition(partition);
  for (const json of stored.sources) restoreSource(state, json);
  for (const json of stored.zones) restoreZone(state, json);
  const resting: Track[] = [];
  for (const json of stored.tracks) {
    const track = restoreTrack(state, json);
    if (track.phase === "live") track.source.live.add(track);
    else resting.push(track);
  }
  resting.sort((a, b) => a.restOffset - b.restOffset || a.restIndex - b.restIndex);
  for (const track of resting) track.source.resting.add(track);
  return state;
}

function restoreSource(state: PartitionState, json: string): void {
  const { dataSourceId, ...fields } = parseSource(json);
  const source: Source = sourceOf(state, dataSourceId);
  Object.assign(source, fields);
}

function restoreZone(state: PartitionState, json: string): void {
  const { activeTracks, ...fields } = parseZone(json);
  const definition: Zone = fields.definition;
  const zone = Object.assign(createZone(definition), fields, { activeTracks: new Set(activeTracks) });
  state.zones.set(definition.zoneId, zone);
  sourceOf(state, definition.dataSourceId).zones.set(definition.zoneId, zone);
}

function restoreTrack(state: PartitionState, json: string): Track {
  const { dataSourceId, visits, ...fields } = parseTrack(json);
  const track = Object.assign(createTrack(fields.trackId, sourceOf(state, dataSourceId)), fields);
  for (const { zoneId, zoneName: _, ...visit } of visits) {
    const zone = state.zones.get(zoneId);
    if (zone === undefined) throw new Error(`track ${track.trackId} is stored in zone ${zoneId}, which is not stored`);
    track.visits.push({ zone, ...visit });
  }
  state.tracks.set(track.trackId, track);
  return track;
}
