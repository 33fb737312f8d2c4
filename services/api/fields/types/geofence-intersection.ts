import type { Geofence } from "../../../../projections/catalog/geofence.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { trackOf, type ZoneIntersectionSource } from "./zone-intersection.ts";

export interface GeofenceIntersectionSource extends Omit<ZoneIntersectionSource, "zoneId"> {
  readonly geofenceId: string;
}

const RETRY_AFTER_MS = 1_000;

/** A geofence that the history refers to, even a deleted one. One created a moment ago may not be in this view yet. */
export function knownGeofence({ catalog }: ApiContext, id: string): Geofence {
  const geofence = catalog.lastKnown("geofence", id);
  if (geofence === undefined) throw unavailable(`geofence ${id} is not known here yet`, RETRY_AFTER_MS);
  return geofence;
}

export const GeofenceIntersection = {
  id: (intersection: GeofenceIntersectionSource) => intersection.intersectionId,
  geofence: (intersection: GeofenceIntersectionSource, _args: unknown, context: ApiContext) =>
    knownGeofence(context, intersection.geofenceId),
  track: trackOf,
};
