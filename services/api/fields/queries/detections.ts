import { readFilter } from "../../../../projections/filters/read-filter.ts";
import { detectionsCount, detectionsPage } from "../../../../projections/history/queries/detections.ts";
import type { DetectionsSort, FilterDetectionInput } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyPage, type PageArgs, toConnection } from "../../read/connection.ts";

export async function detections(
  _root: unknown,
  args: PageArgs<FilterDetectionInput, DetectionsSort>,
  context: ApiContext,
) {
  const { history, maxFirst, filterLimits } = context;
  const filter = readFilter(args.filter, filterLimits);
  // A filter may ask for the zones of a detection, which follow from the intersections.
  await context.intersectionsReached();
  const page = await historyPage({ ...args, filter }, maxFirst, (request) => detectionsPage(history, request));
  return toConnection(page, () => detectionsCount(history, filter));
}
