// The geofences of the catalog as the fold needs them: each one's area as of every catalog offset that a message of the
// camera-log may still refer to. All partitions of a process share one instance.
import type { Changed } from "../../schemas/catalog/changed.ts";
import type { GeofenceFields } from "../../schemas/catalog/geofence.ts";
import type { Polygon } from "../../schemas/events.ts";
import type { Entity } from "../catalog/define-entity.ts";
import { entityFlaw, evolve, requiredOf } from "../catalog/evolve.ts";
import { geofence } from "../catalog/geofence.ts";
import { isWithin } from "../geometry/area.ts";
import { createGeofenceAreas } from "./geofence-areas.ts";
import { countUpTo, type GeofenceChange, idsBetween, offsetOfLast } from "./geofence-changes.ts";
import { type GeofenceSet, noGeofences } from "./geofence-set.ts";

export interface Geofences {
  /**
   * Applies the next change of a geofence from the catalog. A repeated one changes nothing. `recordedAt` is the
   * broker's time of the message, ms.
   */
  apply(event: Changed<GeofenceFields>, offset: number, recordedAt: number): void;
  /** Prepares the areas that arrived since the last call, so that the fold of a detection does not have to. */
  prepare(): void;
  /** Offset of the newest change of an area; -1 when there was none. */
  newest(): number;
  /** Offset of the newest change that was recorded at this broker time (ms) or earlier; -1 when there was none. */
  recordedBy(recordedAt: number): number;
  /** Sorted ids of the geofences whose area changed at an offset above `after` and not above `upTo`. */
  changedBetween(after: number, upTo: number): readonly string[];
  isIn(id: string, upTo: number, longitude: number, latitude: number): boolean;
  /** The geofences as of the offset. */
  at(upTo: number): GeofenceSet;
}

const required = requiredOf(geofence);

/**
 * `keepMs` is the time for which a replaced area is kept, in ms of broker time. A process that folds the camera-log
 * needs at least the retention of that log.
 */
export function createGeofences(keepMs = Number.POSITIVE_INFINITY): Geofences {
  const current = new Map<string, Entity<GeofenceFields>>();
  const areas = createGeofenceAreas(keepMs);
  const changes: GeofenceChange[] = [];
  const unprepared = new Set<string>();
  let next = 0;

  const changedBetween = (after: number, upTo: number) => idsBetween(changes, after, upTo);
  const setAt = createSharedSets(
    (after, upTo) => new Map(changedBetween(after, upTo).map((id) => [id, areas.at(id, upTo)])),
  );

  /**
   * Applies the change.
   * @returns the polygon of the geofence after it; null when the geofence is deleted or not active.
   */
  function evolveBounds(event: Changed<GeofenceFields>): Polygon | null {
    const after = evolve(current.get(event.id), event);
    if (after === undefined) current.delete(event.id);
    else current.set(event.id, after);
    return after?.active ? after.bounds : null;
  }

  return {
    apply(event, offset, recordedAt) {
      if (offset < next) return;
      next = offset + 1;
      if (entityFlaw(required, event) !== undefined) return;
      const { id } = event;
      if (!areas.add(id, { offset, recordedAt, bounds: evolveBounds(event) })) return;
      changes.push({ offset, recordedAt, id });
      unprepared.add(id);
    },
    prepare() {
      for (const id of unprepared) areas.at(id, Number.POSITIVE_INFINITY);
      unprepared.clear();
    },
    newest: () => offsetOfLast(changes, changes.length),
    recordedBy: (recordedAt) =>
      offsetOfLast(changes, changes.findLastIndex((change) => change.recordedAt <= recordedAt) + 1),
    changedBetween,
    isIn(id, upTo, longitude, latitude) {
      const area = areas.at(id, upTo);
      return area !== null && isWithin(area, longitude, latitude);
    },
    at: (wanted) => setAt(offsetOfLast(changes, countUpTo(changes, wanted))),
  };
}

/** Number of sets that are kept. Most partitions are at the same offset, or a few changes apart. */
const SHARED_SETS = 32;

/** Keeps the sets that were made last. A new set is derived from the one at the nearest lower offset. */
function createSharedSets(changesBetween: (after: number, upTo: number) => Parameters<GeofenceSet["with"]>[0]) {
  const sets = new Map<number, GeofenceSet>();
  return (upTo: number): GeofenceSet => {
    const known = sets.get(upTo);
    if (known !== undefined) return known;
    const before = Math.max(-1, ...[...sets.keys()].filter((offset) => offset < upTo));
    const set = (sets.get(before) ?? noGeofences).with(changesBetween(before, upTo));
    sets.set(upTo, set);
    for (const oldest of sets.keys()) {
      if (sets.size <= SHARED_SETS) break;
      sets.delete(oldest);
    }
    return set;
  };
}
