import type { Site } from "../../../../projections/catalog/site.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { ByHand } from "./by-hand.ts";

export const siteByHand: ByHand = {
  fields: {
    devices: ({ id }: Site, _args: unknown, { catalog }: ApiContext) => catalog.referring("device", "siteId", id),
    pointsOfInterest: ({ id }: Site, _args: unknown, { catalog }: ApiContext) =>
      catalog.referring("pointOfInterest", "siteId", id),
    geofences: ({ id }: Site, _args: unknown, { catalog }: ApiContext) => catalog.referring("geofence", "siteId", id),
  },
};
