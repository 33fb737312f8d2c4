// The active geofences as they were at one offset of the catalog, with an index over their boxes. Partitions that have come
// to the same offset share one set. A change makes a new set, which keeps the index of the old one for as long as only few
// geofences differ from it.
import Flatbush from "flatbush";
import { type Area, isWithin } from "./area.ts";

export interface GeofenceSet {
  /**
   * Fills `found` with the ids of the geofences around the position, in order, and returns their number. `tally` counts those
   * that were looked at.
   */
  find(longitude: number, latitude: number, found: string[], tally?: { looked: number }): number;
  /** The set after these changes; null = the geofence is gone or not active. */
  with(changes: ReadonlyMap<string, Area | null>): GeofenceSet;
}

/** How many geofences may differ from the indexed ones: looking at so many boxes costs as much as the index. */
const MOST_CHANGED = 128;
/** A track is in this many geofences at most, the first ones by id, so that one detection has a bounded effect. */
const MOST_AROUND = 100;

interface Indexed {
  readonly areas: ReadonlyMap<string, Area>;
  readonly ids: readonly string[];
  readonly tree: Flatbush | null;
}

type Changes = ReadonlyMap<string, Area | null>;

export const noGeofences: GeofenceSet = createSet({ areas: new Map(), ids: [], tree: null }, new Map());

function createSet(base: Indexed, changed: Changes): GeofenceSet {
  return {
    find(x, y, found, tally) {
      let count = 0;
      const near = base.tree?.search(x, y, x, y) ?? [];
      if (tally !== undefined) tally.looked += near.length + changed.size;
      for (const rank of near) {
        const id = base.ids[rank] ?? "";
        if (changed.has(id)) continue;
        const area = base.areas.get(id);
        if (area !== undefined && isWithin(area, x, y)) found[count++] = id;
      }
      for (const [id, area] of changed) if (area !== null && isWithin(area, x, y)) found[count++] = id;
      if (count > 1) sortFirst(found, count);
      return Math.min(count, MOST_AROUND);
    },
    with(changes) {
      const all = new Map([...changed, ...changes]);
      return all.size <= MOST_CHANGED ? createSet(base, all) : createSet(indexed(base, all), new Map());
    },
  };
}

function indexed({ areas: before }: Indexed, changed: Changes): Indexed {
  const areas = new Map(before);
  for (const [id, area] of changed) {
    if (area === null) areas.delete(id);
    else areas.set(id, area);
  }
  if (areas.size === 0) return { areas, ids: [], tree: null };
  const tree = new Flatbush(areas.size);
  for (const { minX, minY, maxX, maxY } of areas.values()) tree.add(minX, minY, maxX, maxY);
  tree.finish();
  return { areas, ids: [...areas.keys()], tree };
}

/** The list is longer than its present content, because it is used again and again. */
function sortFirst(list: string[], count: number): void {
  list.length = count;
  list.sort((a, b) => (a < b ? -1 : 1));
}
