import { intersectionsCount, intersectionsPage } from "../../../../projections/history/queries/intersections.ts";
import type { ZoneIntersectionFilter, ZoneIntersectionsSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export const zoneIntersections = (
  _root: unknown,
  args: PageArgs<ZoneIntersectionFilter, ZoneIntersectionsSort>,
  context: ApiContext,
) =>
  historyQuery(args, context, {
    reached: context.intersectionsReached,
    page: intersectionsPage,
    count: intersectionsCount,
  });
