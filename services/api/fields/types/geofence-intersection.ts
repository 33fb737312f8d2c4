import type { Geofence } from "../../../../projections/catalog/geofence.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { trackOfIntersection, type ZoneIntersectionSource } from "./zone-intersection.ts";

export interface GeofenceIntersectionSource extends Omit<ZoneIntersectionSource, "zoneId"> {
  readonly geofenceId: string;
}

/**
 * Returns a geofence that the history refers to, even a deleted one. Throws UNAVAILABLE when this instance's catalog
 * does not have it yet, e.g. a moment after its creation.
 */
export function knownGeofence({ catalog }: ApiContext, id: string): Geofence {
  const geofence = catalog.lastKnown("geofence", id);
  if (geofence === undefined) throw unavailable(`geofence ${id} is not known here yet`);
  return geofence;
}

export const geofenceIntersectionResolvers = {
  id: (intersection: GeofenceIntersectionSource) => intersection.intersectionId,
  geofence: (intersection: GeofenceIntersectionSource, _args: unknown, context: ApiContext) =>
    knownGeofence(context, intersection.geofenceId),
  track: trackOfIntersection,
};
