// A change of a geofence concerns all cameras. The catalog has the change; then every partition of the camera-log is told up to
// where the catalog counts from there on. The owners of partitions mend what a writer that dies in between leaves undone.
import { countVertices } from "../../../schemas/bounds.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { shareCalls } from "../../common/share-calls.ts";
import type { ApiContext } from "../graphql/context.ts";
import type { EventWriter } from "./publish.ts";

/** `id`: the geofence that is to have these vertices; undefined = a new one. */
export interface Wanted {
  readonly id: string | undefined;
  readonly vertices: number;
}

export interface GeofenceSteps {
  /**
   * Resolves when every partition has been told of the catalog as far as the operation has written it; when it has written
   * nothing, because it repeats another one, as far as this instance knows of geofences: the writer of then may have died.
   */
  tell(context: ApiContext): Promise<void>;
  /**
   * Writes if the active geofences, with this one and those that this instance is writing, may have so many vertices together;
   * else it throws BAD_USER_INPUT. What other instances write at the same moment does not count: the fold bounds what a
   * detection costs whatever they write.
   */
  withRoom<T>(context: ApiContext, wanted: Wanted, write: () => Promise<T>): Promise<T>;
}

/** Changes that come while partitions are told of others share the next message, so that the log grows no faster. */
export function createGeofenceSteps(writer: EventWriter, maxVertices: number): GeofenceSteps {
  let wanted = -1;
  let told: { readonly upTo: number; readonly positions: readonly LogPosition[] } = { upTo: -1, positions: [] };
  const writing = new Set<Wanted>();
  const tellAll = shareCalls(async () => {
    const upTo = wanted;
    const positions = await writer.everyPartition({ type: "GeofencesAdvanced", event: { upTo } });
    told = { upTo, positions };
  });

  return {
    async tell({ catalog, positions }) {
      const written = positions.filter(({ topic }) => topic === "catalog").map(({ offset }) => offset);
      const upTo = Math.max(catalog.newest("geofence"), ...written);
      wanted = Math.max(wanted, upTo);
      if (upTo > told.upTo) await tellAll();
      positions.push(...told.positions);
    },

    async withRoom({ catalog }, room, write) {
      const others = [...writing].filter(({ id }) => id === undefined || id !== room.id);
      const ids = new Set([room, ...others].map(({ id }) => id));
      let sum = [room, ...others].reduce((all, { vertices }) => all + vertices, 0);
      for (const { id, active, bounds } of catalog.all("geofence")) {
        if (active && !ids.has(id)) sum += verticesOf(bounds);
      }
      if (sum > maxVertices) throw tooMany(sum, maxVertices);
      writing.add(room);
      try {
        return await write();
      } finally {
        writing.delete(room);
      }
    },
  };
}

const tooMany = (sum: number, most: number) =>
  badInput(`active geofences may have ${most} vertices together (API_MAX_GEOFENCE_VERTICES), these would have ${sum}`, [
    "geofence",
    "bounds",
  ]);

const counts = new WeakMap<Polygon, number>();

function verticesOf(polygon: Polygon): number {
  let count = counts.get(polygon);
  if (count === undefined) {
    count = countVertices(polygon.rings);
    counts.set(polygon, count);
  }
  return count;
}
