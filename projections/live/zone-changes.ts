// Folds the creation, changes and deletion of zones, in the order of the camera's log.
import { countVertices } from "../../schemas/bounds.ts";
import type { Zone, ZoneCreated, ZoneDeleted, ZoneRefusal, ZoneUpdated } from "../../schemas/events.ts";
import { evolveZone, isChangedBy, isOutdated } from "../catalog/zones.ts";
import { prepareShape } from "../geometry/shape.ts";
import { markTrack, sourceOf } from "./create-state.ts";
import { cutIntersection } from "./intersections.ts";
import { isInside } from "./observe.ts";
import { addOutput } from "./outputs.ts";
import type { Steps } from "./pace.ts";
import type { Fold, LiveZone, Source, Track } from "./state.ts";

/**
 * Only the first creation counts. A repeated one changes nothing, and neither does one of a zone that is at another
 * data source.
 */
export function drawZone(fold: Fold, event: ZoneCreated): void {
  const { zoneId, dataSourceId } = event.zone;
  const { state } = fold;
  const known = state.zones.get(zoneId);
  if (known !== undefined) {
    const isHere = known.definition.dataSourceId === dataSourceId;
    emitVersion(fold, event.zone, isHere ? known.definition : null, isHere ? null : "not_here");
    return;
  }
  const definition = evolveZone(undefined, { type: "ZoneCreated", event });
  if (definition === undefined) return;
  if (!fitsVertexQuota(fold, definition)) {
    emitVersion(fold, definition, null, "no_room");
    return;
  }
  emitVersion(fold, definition, definition);
  const zone = createLiveZone(definition);
  const source = sourceOf(state, dataSourceId);
  state.zones.set(zoneId, zone);
  addLiveZone(source, zone);
  source.index = null;
  state.dirtyZones.add(zoneId);
}

/**
 * Changes nothing when the zone has left the data source: the version that is written says so, and the writer repeats
 * the update at the zone's data source. Changes nothing either when the data source would have too many vertices, or
 * when somebody changed the zone since the writer read it. That is no refusal when the zone already is as the update
 * wants it: the log has the event twice, or the caller has repeated its change. Only the fold can decide this, because
 * it alone knows all zones at this place in the log.
 */
export function* applyZoneUpdate(fold: Fold, event: ZoneUpdated): Steps {
  const zone = zoneAt(fold, event);
  const definition = evolveZone(zone?.definition, { type: "ZoneUpdated", event });
  if (zone === undefined || definition === undefined) {
    emitVersion(fold, event, null, "not_here");
    return;
  }
  const hasChanged = isOutdated(zone.definition, event) && isChangedBy(zone.definition, event);
  const refusal = hasChanged ? "changed" : fitsVertexQuota(fold, definition) ? null : "no_room";
  if (refusal !== null) {
    emitVersion(fold, event, zone.definition, refusal);
    return;
  }
  emitVersion(fold, event, definition);
  yield* redefine(fold, zone, definition);
}

/** Does nothing to a zone that is at another data source by now, or that somebody changed since the writer read it. */
export function* applyZoneDeletion(fold: Fold, event: ZoneDeleted): Steps {
  const zone = zoneAt(fold, event);
  if (zone !== undefined && isOutdated(zone.definition, event)) {
    emitVersion(fold, event, zone.definition, "changed");
    return;
  }
  emitVersion(fold, event, null, zone === undefined ? "not_here" : null, event.movedTo);
  if (zone !== undefined) yield* removeZone(fold, zone);
}

function zoneAt(
  { state }: Fold,
  { zoneId, dataSourceId }: Pick<Zone, "zoneId" | "dataSourceId">,
): LiveZone | undefined {
  const zone = state.zones.get(zoneId);
  return zone?.definition.dataSourceId === dataSourceId ? zone : undefined;
}

function* redefine(fold: Fold, zone: LiveZone, definition: Zone): Steps {
  const { state } = fold;
  const source = sourceOf(state, definition.dataSourceId);
  const redrawn = isRedrawn(zone.definition, definition);
  source.zoneVertices += verticesOf(definition) - verticesOf(zone.definition);
  zone.definition = definition;
  zone.shape = prepareShape(definition.polygon.rings);
  source.index = null;
  state.dirtyZones.add(definition.zoneId);
  const cut: Track[] = [];
  for (const track of tracksIn(source, zone)) {
    markTrack(state, track);
    const isOut = redrawn && (track.rings === null || !isInside(zone, track.rings));
    if (isOut || !definition.active) cut.push(track);
  }
  yield* cutAll(fold, zone, cut);
}

function* cutAll(fold: Fold, zone: LiveZone, tracks: readonly Track[]): Steps {
  const left = tracks.filter(({ trackId }) => zone.activeTracks.has(trackId));
  for (const track of tracks) cutIntersection(fold, track, zone);
  if (fold.listener !== undefined) yield* fold.listener.zoneCut(zone, left);
}

export function addLiveZone(source: Source, zone: LiveZone): void {
  source.zones.set(zone.definition.zoneId, zone);
  source.zoneVertices += verticesOf(zone.definition);
}

export function createLiveZone(definition: Zone): LiveZone {
  return {
    definition,
    shape: prepareShape(definition.polygon.rings),
    rank: -1,
    activeTracks: new Set(),
    slot: null,
    updatedAt: definition.updatedAt,
    triggerTrackId: null,
    triggerTag: null,
    triggerOffset: -1,
    triggerIndex: 0,
  };
}

function* removeZone(fold: Fold, zone: LiveZone): Steps {
  const { zoneId, dataSourceId } = zone.definition;
  const source = sourceOf(fold.state, dataSourceId);
  yield* cutAll(fold, zone, tracksIn(source, zone));
  source.zones.delete(zoneId);
  source.zoneVertices -= verticesOf(zone.definition);
  source.index = null;
  fold.state.zones.delete(zoneId);
  fold.state.dirtyZones.add(zoneId);
}

function fitsVertexQuota({ state, settings }: Fold, definition: Zone): boolean {
  const source = state.sources.get(definition.dataSourceId);
  const before = source?.zones.get(definition.zoneId);
  const growth = verticesOf(definition) - (before === undefined ? 0 : verticesOf(before.definition));
  return growth <= 0 || (source?.zoneVertices ?? 0) + growth <= settings.maxSourceVertices;
}

const verticesOf = ({ polygon }: Zone): number => countVertices(polygon.rings);

/** Compares the shape only: a new name must not end an intersection whose track is outside within the exit delay. */
function isRedrawn(before: Zone, after: Zone): boolean {
  return before.anchor !== after.anchor || JSON.stringify(before.polygon.rings) !== JSON.stringify(after.polygon.rings);
}

/**
 * Returns all tracks of the source in the zone, ended ones included, sorted so that every fold of the log has the same
 * order.
 */
function tracksIn(source: Source, zone: LiveZone): Track[] {
  const tracks: Track[] = [];
  for (const track of source.tracks.values())
    if (track.intersections.some((intersection) => intersection.zone === zone)) tracks.push(track);
  return tracks.sort((a, b) => (a.trackId < b.trackId ? -1 : 1));
}

function emitVersion(
  fold: Fold,
  { zoneId, dataSourceId }: Pick<Zone, "zoneId" | "dataSourceId">,
  zone: Zone | null,
  refusal: ZoneRefusal | null = null,
  movedTo: string | null = null,
): void {
  const { partition } = fold.state;
  fold.outputs++;
  addOutput(fold.out, "zones", { zoneId, dataSourceId, zone, movedTo, refusal, partition, offset: fold.offset });
}
