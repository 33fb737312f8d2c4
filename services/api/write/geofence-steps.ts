// A change of a geofence concerns all cameras. The catalog gets the change first. Then every partition of the
// camera-log gets an event with an offset of the catalog: from there on, the partition uses the geofences up to that
// offset. If a writer dies in between, the owners of the partitions complete this.
import { countVertices } from "../../../schemas/bounds.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { shareCalls } from "../../common/share-calls.ts";
import type { EventWriter } from "./publish.ts";
import type { WriteContext } from "./write-context.ts";

/** `id` is the geofence that will have these vertices; undefined for a new one. */
export interface VertexClaim {
  readonly id: string | undefined;
  readonly vertices: number;
}

export interface GeofenceSteps {
  /**
   * Resolves when every partition has received the catalog's offset after the writes of the operation. An operation
   * without writes repeats an earlier one, whose writer may have died. It sends the offset of the newest geofence
   * change that this instance knows.
   */
  announce(context: WriteContext): Promise<void>;
  /**
   * Runs `write` if the active geofences may have this many vertices together, including this one and those that this
   * instance is writing. Otherwise throws BAD_USER_INPUT. Simultaneous writes of other instances do not count, because
   * the fold limits the cost of a detection in any case.
   */
  withVertexQuota<T>(context: WriteContext, wanted: VertexClaim, write: () => Promise<T>): Promise<T>;
}

/**
 * Changes that arrive while the partitions are being notified share the next notice, so that the log gets fewer
 * messages.
 */
export function createGeofenceSteps(writer: EventWriter, maxVertices: number): GeofenceSteps {
  let wanted = -1;
  let announced: { readonly upTo: number; readonly positions: readonly LogPosition[] } = { upTo: -1, positions: [] };
  const writing = new Set<VertexClaim>();
  const announceAll = shareCalls(async () => {
    const upTo = wanted;
    const positions = await writer.everyPartition({ type: "GeofencesAdvanced", event: { upTo } });
    announced = { upTo, positions };
  });

  return {
    async announce({ catalog, positions }) {
      const written = positions.filter(({ topic }) => topic === "catalog").map(({ offset }) => offset);
      const upTo = Math.max(catalog.newest("geofence"), ...written);
      wanted = Math.max(wanted, upTo);
      if (upTo > announced.upTo) await announceAll();
      positions.push(...announced.positions);
    },

    async withVertexQuota({ catalog }, claim, write) {
      const others = [...writing].filter(({ id }) => id === undefined || id !== claim.id);
      const ids = new Set([claim, ...others].map(({ id }) => id));
      let sum = [claim, ...others].reduce((all, { vertices }) => all + vertices, 0);
      for (const { id, active, bounds } of catalog.all("geofence")) {
        if (active && !ids.has(id)) sum += verticesOf(bounds);
      }
      if (sum > maxVertices) throw tooMany(sum, maxVertices);
      writing.add(claim);
      try {
        return await write();
      } finally {
        writing.delete(claim);
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
