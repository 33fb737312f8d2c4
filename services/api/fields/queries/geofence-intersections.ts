import {
  geofenceIntersectionsCount,
  geofenceIntersectionsPage,
} from "../../../../projections/history/queries/intersections.ts";
import type { GeofenceIntersectionFilter, GeofenceIntersectionsSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export const geofenceIntersections = (
  _root: unknown,
  args: PageArgs<GeofenceIntersectionFilter, GeofenceIntersectionsSort>,
  context: ApiContext,
) =>
  historyQuery(args, context, {
    reached: context.intersectionsReached,
    page: geofenceIntersectionsPage,
    count: geofenceIntersectionsCount,
  });
