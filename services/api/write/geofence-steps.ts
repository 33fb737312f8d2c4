// A change of a geofence concerns all cameras. The catalog has the change; then every partition of the camera-log is told up to
// where the catalog counts from there on. The owners of partitions mend what a writer that dies in between leaves undone.
import { countVertices } from "../../../schemas/bounds.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { ApiContext } from "../graphql/context.ts";
import { shareCalls } from "../read/batch.ts";
import type { EventWriter } from "./publish.ts";

export interface GeofenceSteps {
  /** Resolves when every partition has been told of the catalog as far as the operation has written it. */
  tell(context: ApiContext): Promise<void>;
  /** Throws BAD_USER_INPUT when the active geofences would have too many vertices together. `id`: the one that changes. */
  checkRoom(context: ApiContext, id: string | undefined, vertices: number): void;
}

/** Changes that come while partitions are told of others share the next message, so that the log grows no faster. */
export function createGeofenceSteps(writer: EventWriter, maxVertices: number): GeofenceSteps {
  let wanted = -1;
  const tellAll = shareCalls(() => writer.everyPartition({ type: "GeofencesAdvanced", event: { upTo: wanted } }));

  return {
    async tell({ positions }) {
      const written = positions.filter(({ topic }) => topic === "catalog").map(({ offset }) => offset);
      if (written.length === 0) return;
      wanted = Math.max(wanted, ...written);
      const told: readonly LogPosition[] = await tellAll();
      positions.push(...told);
    },

    checkRoom({ catalog }, id, vertices) {
      let sum = vertices;
      for (const geofence of catalog.all("geofence")) {
        if (geofence.active && geofence.id !== id) sum += verticesOf(geofence.bounds);
      }
      if (sum <= maxVertices) return;
      throw badInput(
        `active geofences may have ${maxVertices} vertices together (API_MAX_GEOFENCE_VERTICES), these would have ${sum}`,
        ["geofence", "bounds"],
      );
    },
  };
}

const counts = new WeakMap<Polygon, number>();

function verticesOf(polygon: Polygon): number {
  let count = counts.get(polygon);
  if (count === undefined) {
    count = countVertices(polygon.rings);
    counts.set(polygon, count);
  }
  return count;
}
