import { intersectionsCount, intersectionsPage } from "../../../projections/history/queries/intersections.ts";
import type { FilterZoneIntersectionInput, ZoneIntersectionsSort } from "../../../schemas/filters.ts";
import { historyPage, type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { checkFilter } from "../filters/check.ts";

export async function zoneIntersections(
  _root: unknown,
  args: PageArgs<FilterZoneIntersectionInput, ZoneIntersectionsSort>,
  context: ApiContext,
) {
  const { history, maxFirst } = context;
  checkFilter(args.filter);
  await context.intersectionsReached();
  const page = await historyPage(args, maxFirst, (request) => intersectionsPage(history, request));
  return toConnection(page, () => intersectionsCount(history, args.filter));
}
