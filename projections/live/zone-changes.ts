// Zones being drawn, changed and deleted, in the order in which the camera's log has them.

import { countVertices } from "../../schemas/bounds.ts";
import type { Zone, ZoneDeleted } from "../../schemas/events.ts";
import { markTrack, sourceOf } from "./create-state.ts";
import { prepareShape } from "./geometry.ts";
import { cutIntersection } from "./intersections.ts";
import { isInside } from "./observe.ts";
import type { Fold, LiveZone, Source, Track } from "./state.ts";

/**
 * A zone with which its data source would have too many vertices changes nothing: the version given out is the one that
 * stands, or none. Only the fold knows all zones at this place in the log, so nobody before it can be sure.
 */
export function putZone(fold: Fold, definition: Zone): void {
  const { state } = fold;
  const { zoneId, dataSourceId } = definition;
  let zone = state.zones.get(zoneId);
  if (!hasRoom(fold, definition)) {
    emitVersion(fold, zoneId, dataSourceId, zone?.definition.dataSourceId === dataSourceId ? zone.definition : null);
    return;
  }
  emitVersion(fold, zoneId, dataSourceId, definition);
  if (zone !== undefined && zone.definition.dataSourceId !== dataSourceId) {
    removeZone(fold, zone);
    zone = undefined;
  }
  const source = sourceOf(state, dataSourceId);
  const redrawn = zone !== undefined && isRedrawn(zone.definition, definition);
  if (zone === undefined) {
    zone = createZone(definition);
    state.zones.set(zoneId, zone);
    addZone(source, zone);
  } else {
    source.zoneVertices += verticesOf(definition) - verticesOf(zone.definition);
    zone.definition = definition;
    zone.shape = prepareShape(definition.polygon.rings);
  }
  source.index = null;
  state.dirtyZones.add(zoneId);
  for (const track of tracksIn(source, zone)) {
    markTrack(state, track);
    const isOut = redrawn && (track.rings === null || !isInside(zone, track.rings));
    if (isOut || !definition.active) cutIntersection(fold, track, zone);
  }
}

/** A zone that lives at another data source by now is not touched: its move may be written there first. */
export function deleteZone(fold: Fold, event: ZoneDeleted): void {
  emitVersion(fold, event.zoneId, event.dataSourceId, null);
  const zone = fold.state.zones.get(event.zoneId);
  if (zone !== undefined && zone.definition.dataSourceId === event.dataSourceId) removeZone(fold, zone);
}

export function addZone(source: Source, zone: LiveZone): void {
  source.zones.set(zone.definition.zoneId, zone);
  source.zoneVertices += verticesOf(zone.definition);
}

export function createZone(definition: Zone): LiveZone {
  return {
    definition,
    shape: prepareShape(definition.polygon.rings),
    rank: -1,
    activeTracks: new Set(),
    updatedAt: definition.updatedAt,
    triggerTrackId: null,
    triggerTag: null,
    triggerOffset: -1,
    triggerIndex: 0,
  };
}

function removeZone(fold: Fold, zone: LiveZone): void {
  const { zoneId, dataSourceId } = zone.definition;
  const source = sourceOf(fold.state, dataSourceId);
  for (const track of tracksIn(source, zone)) cutIntersection(fold, track, zone);
  source.zones.delete(zoneId);
  source.zoneVertices -= verticesOf(zone.definition);
  source.index = null;
  fold.state.zones.delete(zoneId);
  fold.state.dirtyZones.add(zoneId);
}

function hasRoom({ state, settings }: Fold, definition: Zone): boolean {
  const source = state.sources.get(definition.dataSourceId);
  const before = source?.zones.get(definition.zoneId);
  const growth = verticesOf(definition) - (before === undefined ? 0 : verticesOf(before.definition));
  return growth <= 0 || (source?.zoneVertices ?? 0) + growth <= settings.maxSourceVertices;
}

const verticesOf = ({ polygon }: Zone): number => countVertices(polygon.rings);

/** A new name must not end an intersection whose track is outside for the moment, within the exit delay. */
function isRedrawn(before: Zone, after: Zone): boolean {
  return before.anchor !== after.anchor || JSON.stringify(before.polygon.rings) !== JSON.stringify(after.polygon.rings);
}

/** Every track of the source with an intersection, ended ones included, in an order that does not depend on memory. */
function tracksIn(source: Source, zone: LiveZone): Track[] {
  const tracks: Track[] = [];
  for (const track of source.tracks)
    if (track.intersections.some((intersection) => intersection.zone === zone)) tracks.push(track);
  return tracks.sort((a, b) => (a.trackId < b.trackId ? -1 : 1));
}

function emitVersion(fold: Fold, zoneId: string, dataSourceId: string, zone: Zone | null): void {
  fold.outputs++;
  fold.out.zoneVersions.push({ zoneId, dataSourceId, zone, partition: fold.state.partition, offset: fold.offset });
}
