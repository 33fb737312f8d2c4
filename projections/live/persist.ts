// Writes the state as JSON texts by id, and reads it back. A batch rewrites only what it touched; a zone's text changes
// when a track enters or leaves, not with every detection inside.

import type { Zone } from "../../schemas/events.ts";
import { createLiveTrack, createPartition, sourceOf } from "./create-state.ts";
import { link } from "./geofence-stays.ts";
import { isKnown } from "./known.ts";
import type { LiveListener } from "./listener.ts";
import { createPastRestoration, pastTexts } from "./past.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import { parseSource, parseTrack, parseZone, storeSource, storeTrack, storeZone } from "./stored.ts";
import { append } from "./track-list.ts";
import { addTrack, allTracks, trackFieldOf } from "./twins.ts";
import { nothingTouched, type Touched, textKinds } from "./types.ts";
import { addLiveZone, createLiveZone } from "./zone-changes.ts";

/** JSON texts as takeTouched and everything wrote them, in any order. */
export type Stored = Readonly<Record<keyof Touched, Iterable<string>>>;

/** A part of the state with its id, as JSON. */
export type Text = readonly [kind: keyof Touched, id: string, json: string];

/** Reads a state back in portions: zones before tracks. A repeated text counts once. */
export interface Restoration {
  add(kind: keyof Touched, jsons: Iterable<string>): void;
  finish(): PartitionState;
}

/** The changes since the last call. Written over those of earlier calls, they equal `everything`. */
export function takeTouched(state: PartitionState): Touched {
  const touched = nothingTouched();
  // Emptied fields first, because one may have been filled again within the batch.
  for (const field of state.emptiedFields) touched.tracks.set(field, null);
  for (const track of state.dirtyTracks) {
    if (track.source.tracks.get(track.trackId) === track)
      touched.tracks.set(trackFieldOf(state, track), storeTrack(track));
  }
  for (const source of state.dirtySources) {
    touched.sources.set(source.dataSourceId, isKnown(source.recordedAt) ? storeSource(source) : null);
  }
  for (const zoneId of state.dirtyZones) {
    const zone = state.zones.get(zoneId);
    touched.zones.set(zoneId, zone === undefined ? null : storeZone(zone));
  }
  for (const [field, part] of state.dirtyPast) touched.past.set(field, part === null ? null : JSON.stringify(part));
  clearTouched(state);
  return touched;
}

/** Number of texts that `takeTouched` would make. */
export function countTouched(state: PartitionState): number {
  const { emptiedFields, dirtyTracks, dirtySources, dirtyZones, dirtyPast } = state;
  return emptiedFields.size + dirtyTracks.length + dirtySources.size + dirtyZones.size + dirtyPast.size;
}

/** Forgets the changes, for a caller that writes everything instead. */
export function clearTouched(state: PartitionState): void {
  for (const track of state.dirtyTracks) track.dirty = false;
  state.emptiedFields.clear();
  state.dirtyTracks.length = 0;
  state.dirtySources.clear();
  state.dirtyZones.clear();
  state.dirtyPast.clear();
}

/** The whole state, for rewriting a lost store. Texts are made one by one: the caller must fold nothing meanwhile. */
export function* textsOf(state: PartitionState): Generator<Text, void> {
  for (const [zoneId, zone] of state.zones) yield ["zones", zoneId, storeZone(zone)];
  for (const source of state.sources.values()) {
    if (isKnown(source.recordedAt)) yield ["sources", source.dataSourceId, storeSource(source)];
  }
  for (const track of allTracks(state)) {
    yield ["tracks", trackFieldOf(state, track), storeTrack(track)];
    for (const [field, json] of pastTexts(track)) yield ["past", field, json];
  }
}

/** All of `textsOf` at once. @internal */
export function everything(state: PartitionState): Touched {
  const touched = nothingTouched();
  for (const [kind, id, json] of textsOf(state)) touched[kind].set(id, json);
  return touched;
}

/** The restored state behaves exactly as the stored one would have. @internal */
export function restore(
  partition: number,
  stored: Stored,
  geofencesUpTo = -1,
  listener: LiveListener | undefined = undefined,
): PartitionState {
  const restoration = createRestoration(partition, geofencesUpTo, listener);
  for (const kind of textKinds) restoration.add(kind, stored[kind]);
  return restoration.finish();
}

/** Needs the listener that made the slots of tracks and zones. Without it these slots are dropped. */
export function createRestoration(
  partition: number,
  geofencesUpTo: number,
  listener: LiveListener | undefined,
): Restoration {
  const state = createPartition(partition);
  state.geofencesUpTo = geofencesUpTo;
  const past = createPastRestoration(state);
  const restoreText: Readonly<Record<keyof Touched, (json: string) => void>> = {
    sources: (json) => restoreSource(state, json),
    zones: (json) => restoreZone(state, json, listener),
    tracks: (json) => restoreTrack(state, json, listener, past.addWhole),
    past: past.add,
  };
  return {
    add(kind, jsons) {
      for (const json of jsons) restoreText[kind](json);
    },
    finish() {
      past.finish();
      const live: Track[] = [];
      const resting: Track[] = [];
      for (const track of allTracks(state)) {
        if (track.phase === "live") live.push(track);
        else resting.push(track);
        if (isKnown(track.endOwedAt)) state.owing.add(track);
      }
      live.sort((a, b) => a.seenOffset - b.seenOffset || a.seenIndex - b.seenIndex);
      for (const track of live) append(state.live, track);
      resting.sort((a, b) => a.restOffset - b.restOffset || a.restIndex - b.restIndex);
      for (const track of resting) {
        append(state.resting, track);
        track.slot?.rests(state);
      }
      state.quietSince = Number.NEGATIVE_INFINITY;
      return state;
    },
  };
}

function restoreSource(state: PartitionState, json: string): void {
  const { dataSourceId, ...fields } = parseSource(json);
  const source: Source = sourceOf(state, dataSourceId);
  Object.assign(source, fields);
}

function restoreZone(state: PartitionState, json: string, listener: LiveListener | undefined): void {
  const { activeTracks, compositions, appliedAt: _appliedAt, ...fields } = parseZone(json);
  const definition: Zone = fields.definition;
  const zone = Object.assign(createLiveZone(definition), fields, { activeTracks: new Set(activeTracks) });
  if (compositions !== undefined) listener?.restoreZone(zone, compositions);
  state.zones.set(definition.zoneId, zone);
  addLiveZone(sourceOf(state, definition.dataSourceId), zone);
}

/** Calls `onWhole` when the text contains the track's past. */
function restoreTrack(
  state: PartitionState,
  json: string,
  listener: LiveListener | undefined,
  onWhole: (track: Track) => void,
): void {
  const { dataSourceId, intersections, stays = [], encounters, appliedAt: _, ...fields } = parseTrack(json);
  // Redis may return a text twice when it is read in portions.
  const source = sourceOf(state, dataSourceId);
  if (source.tracks.has(fields.trackId)) return;
  const track = Object.assign(createLiveTrack(fields.trackId, source), fields);
  for (const { zoneId, zoneName: _, ...intersection } of intersections) {
    const zone = state.zones.get(zoneId);
    if (zone === undefined) throw new Error(`track ${track.trackId} is stored in zone ${zoneId}, which is not stored`);
    track.intersections.push({ zone, ...intersection });
  }
  for (const stay of stays) {
    track.stays.push(stay);
    link(state, track, stay);
  }
  if (encounters !== undefined) listener?.restoreTrack(track, encounters);
  addTrack(state, track);
  if (fields.past === undefined) onWhole(track);
}
