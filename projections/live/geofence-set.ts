// The active geofences as of one offset of the catalog, with an index over their boxes. Partitions at the same offset
// share one set. A change makes a new set, which keeps the index of the old one while only few geofences differ from
// it.
import Flatbush from "flatbush";
import { countEdges, isWithin, type PreparedArea, touchesBox } from "../geometry/area.ts";

export interface GeofenceSet {
  /**
   * Fills `found` with the ids of the geofences that contain the position, sorted. `tally` counts the geofences that
   * were tested.
   * @returns the number of ids.
   */
  find(longitude: number, latitude: number, found: string[], tally?: { workSincePause: number }): number;
  /** The set after these changes. A null area means that the geofence is gone or not active. */
  with(changes: ReadonlyMap<string, PreparedArea | null>): GeofenceSet;
}

/**
 * The maximum number of geofences that may differ from the indexed ones: testing so many boxes costs as much as the
 * index.
 */
const MOST_CHANGED = 128;
/** A track is in this many geofences at most, the first ones by id, so that one detection has a bounded effect. */
const MOST_AROUND = 100;
/**
 * One detection is compared with about this many edges at most, whatever the catalog contains. Geofences whose boxes
 * contain the position are tested in the order of their ids. Each counts as EDGES_PER_GEOFENCE more edges.
 */
const MOST_EDGES = 1_000_000;
const EDGES_PER_GEOFENCE = 100;

/** The geofences of an index, in the order of their ids. */
interface Indexed {
  readonly ids: readonly string[];
  readonly areas: readonly PreparedArea[];
  readonly tree: Flatbush | null;
}

type Changes = ReadonlyMap<string, PreparedArea | null>;

export const noGeofences: GeofenceSet = createSet({ ids: [], areas: [], tree: null }, new Map());

function createSet(base: Indexed, changed: Changes): GeofenceSet {
  const own = [...changed].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    find(x, y, found, tally) {
      const near = sorted(base.tree?.search(x, y, x, y) ?? []);
      if (tally !== undefined) tally.workSincePause += near.length + changed.size;
      let [i, j, count, edges] = [0, 0, 0, 0];
      while (count < MOST_AROUND && edges < MOST_EDGES) {
        const rank = near[i];
        const [ownId, ownArea] = own[j] ?? [];
        if (rank === undefined && ownId === undefined) break;
        const baseId = rank === undefined ? undefined : base.ids[rank];
        const isOwn = baseId === undefined || (ownId !== undefined && ownId <= baseId);
        if (isOwn) j++;
        // The changed geofence replaces the indexed one.
        if (!isOwn || ownId === baseId) i++;
        const area = isOwn ? ownArea : base.areas[rank ?? 0];
        if (area == null || !touchesBox(area, x, y)) continue;
        edges += EDGES_PER_GEOFENCE + countEdges(area);
        if (isWithin(area, x, y)) found[count++] = (isOwn ? ownId : baseId) ?? "";
      }
      return count;
    },
    with(changes) {
      const all = new Map([...changed, ...changes]);
      return all.size <= MOST_CHANGED ? createSet(base, all) : createSet(indexed(base, all), new Map());
    },
  };
}

/** A position may be in a hundred thousand boxes, so the ranks are sorted as numbers in a typed array. */
const sorted = (ranks: readonly number[]): ArrayLike<number> =>
  ranks.length < 2 ? ranks : new Uint32Array(ranks).sort();

function indexed({ ids, areas }: Indexed, changed: Changes): Indexed {
  const all = new Map<string, PreparedArea | null>(ids.map((id, rank) => [id, areas[rank] ?? null]));
  for (const [id, area] of changed) all.set(id, area);
  const kept = [...all].flatMap(([id, area]) => (area === null ? [] : [{ id, area }]));
  // The list is nearly sorted already, so sorting is fast.
  kept.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { ids: kept.map(({ id }) => id), areas: kept.map(({ area }) => area), tree: indexBoxes(kept) };
}

function indexBoxes(kept: readonly { readonly area: PreparedArea }[]): Flatbush | null {
  if (kept.length === 0) return null;
  const tree = new Flatbush(kept.length);
  for (const { area } of kept) tree.add(area.minX, area.minY, area.maxX, area.maxY);
  tree.finish();
  return tree;
}
