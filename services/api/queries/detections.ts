import { detectionsCount, detectionsPage } from "../../../projections/history/queries/detections.ts";
import type { DetectionsSort, FilterDetectionInput } from "../../../schemas/filters.ts";
import { historyPage, type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { readFilter } from "../filters/read-filter.ts";

export async function detections(
  _root: unknown,
  args: PageArgs<FilterDetectionInput, DetectionsSort>,
  context: ApiContext,
) {
  const { history, maxFirst, filterLimits } = context;
  const filter = readFilter(args.filter, filterLimits);
  // A filter may ask for the zones of a detection, which stand in the intersections.
  await context.intersectionsReached();
  const page = await historyPage({ ...args, filter }, maxFirst, (request) => detectionsPage(history, request));
  return toConnection(page, () => detectionsCount(history, filter));
}
