// The geofences of the catalog as the fold needs them: where each one was at every offset of the catalog that a camera-log may
// still name. A process has one of these for all its partitions.
import type { Changed } from "../../schemas/catalog/changed.ts";
import type { GeofenceFields } from "../../schemas/catalog/geofence.ts";
import type { Polygon } from "../../schemas/events.ts";
import type { Entity } from "../catalog/define-entity.ts";
import { evolve, refusalOf, requiredOf } from "../catalog/evolve.ts";
import { geofence } from "../catalog/geofence.ts";
import { type Area, isWithin, prepareArea } from "./area.ts";
import { type GeofenceSet, noGeofences } from "./geofence-set.ts";

export interface Geofences {
  /** Takes the next change of a geofence from the catalog; a repeated one changes nothing. `recordedAt`: the broker's time of the message, ms. */
  apply(event: Changed<GeofenceFields>, offset: number, recordedAt: number): void;
  /** Prepares the places that came since the last call, so that the fold of a detection does not have to. */
  prepare(): void;
  /** Offset of the newest change of a place; -1 = there was none. */
  newest(): number;
  /** The newest change that was recorded by then. */
  recordedBy(recordedAt: number): number;
  /** Ids of those that changed their place after the one offset, and up to the other; sorted. */
  changedBetween(after: number, upTo: number): readonly string[];
  isIn(id: string, upTo: number, longitude: number, latitude: number): boolean;
  /** The geofences as they were at the offset. */
  at(upTo: number): GeofenceSet;
}

interface Change {
  readonly offset: number;
  readonly recordedAt: number;
  readonly id: string;
}

interface Version {
  readonly offset: number;
  readonly recordedAt: number;
  /** null = deleted or not active. */
  readonly bounds: Polygon | null;
  area: Area | null;
}

const required = requiredOf(geofence);

/** Partitions are mostly at the same offset, or a few changes apart. */
const SHARED_SETS = 32;

/** `keepMs`: how long a place is remembered that a newer one replaced; no camera-log reaches back further. */
export function createGeofences(keepMs = Number.POSITIVE_INFINITY): Geofences {
  const current = new Map<string, Entity<GeofenceFields>>();
  const versions = new Map<string, Version[]>();
  /** By offset. */
  const changes: Change[] = [];
  const sets = new Map<number, GeofenceSet>();
  const unprepared = new Set<string>();
  let next = 0;

  function versionAt(id: string, upTo: number): Version | undefined {
    return versions.get(id)?.findLast(({ offset }) => offset <= upTo);
  }

  function areaAt(id: string, upTo: number): Area | null {
    const version = versionAt(id, upTo);
    if (version === undefined || version.bounds === null) return null;
    version.area ??= prepareArea(version.bounds.rings);
    return version.area;
  }

  /** The number of changes up to the offset. */
  function countUpTo(upTo: number): number {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.offset ?? 0) <= upTo) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const offsetOf = (count: number): number => changes[count - 1]?.offset ?? -1;

  function changedBetween(after: number, upTo: number): string[] {
    const ids = new Set(changes.slice(countUpTo(after), countUpTo(upTo)).map(({ id }) => id));
    return [...ids].sort();
  }

  function share(upTo: number, set: GeofenceSet): GeofenceSet {
    sets.set(upTo, set);
    for (const oldest of sets.keys()) {
      if (sets.size <= SHARED_SETS) break;
      sets.delete(oldest);
    }
    return set;
  }

  return {
    apply(event, offset, recordedAt) {
      if (offset < next) return;
      next = offset + 1;
      if (refusalOf(required, event) !== undefined) return;
      const { id } = event;
      const after = evolve(current.get(id), event);
      if (after === undefined) current.delete(id);
      else current.set(id, after);
      const bounds = after?.active ? after.bounds : null;
      const known = versions.get(id) ?? [];
      if (bounds === (known.at(-1)?.bounds ?? null)) return;
      known.push({ offset, recordedAt, bounds, area: null });
      while ((known[1]?.recordedAt ?? recordedAt) < recordedAt - keepMs) known.shift();
      versions.set(id, known);
      changes.push({ offset, recordedAt, id });
      unprepared.add(id);
    },
    prepare() {
      for (const id of unprepared) areaAt(id, Number.POSITIVE_INFINITY);
      unprepared.clear();
    },
    newest: () => offsetOf(changes.length),
    recordedBy: (recordedAt) => offsetOf(changes.findLastIndex((change) => change.recordedAt <= recordedAt) + 1),
    changedBetween,
    isIn(id, upTo, longitude, latitude) {
      const area = areaAt(id, upTo);
      return area !== null && isWithin(area, longitude, latitude);
    },
    at(wanted) {
      const upTo = offsetOf(countUpTo(wanted));
      const known = sets.get(upTo);
      if (known !== undefined) return known;
      const before = Math.max(-1, ...[...sets.keys()].filter((offset) => offset < upTo));
      const news = changedBetween(before, upTo).map((id) => [id, areaAt(id, upTo)] as const);
      return share(upTo, (sets.get(before) ?? noGeofences).with(new Map(news)));
    },
  };
}
