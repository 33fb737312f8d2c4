import { readFilter } from "../../../../projections/filters/read-filter.ts";
import { intersectionsCount, intersectionsPage } from "../../../../projections/history/queries/intersections.ts";
import type { FilterZoneIntersectionInput, ZoneIntersectionsSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyPage, type PageArgs, toConnection } from "../../read/connection.ts";

export async function zoneIntersections(
  _root: unknown,
  args: PageArgs<FilterZoneIntersectionInput, ZoneIntersectionsSort>,
  context: ApiContext,
) {
  const { history, maxFirst, filterLimits } = context;
  const filter = readFilter(args.filter, filterLimits);
  await context.intersectionsReached();
  const page = await historyPage({ ...args, filter }, maxFirst, (request) => intersectionsPage(history, request));
  return toConnection(page, () => intersectionsCount(history, filter));
}
