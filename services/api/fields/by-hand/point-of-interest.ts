import type { PointOfInterest } from "../../../../projections/catalog/point-of-interest.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { ByHand } from "./by-hand.ts";

export const pointOfInterestByHand: ByHand = {
  fields: {
    devices: ({ id }: PointOfInterest, _args: unknown, { catalog }: ApiContext) =>
      catalog.referring("device", "pointOfInterestId", id),
    geofences: ({ id }: PointOfInterest, _args: unknown, { catalog }: ApiContext) =>
      catalog.referring("geofence", "pointOfInterestId", id),
  },
};
