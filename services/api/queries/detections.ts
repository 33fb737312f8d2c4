import { detectionsCount, detectionsPage } from "../../../projections/history/queries/detections.ts";
import type { DetectionsSort, FilterDetectionInput } from "../../../schemas/filters.ts";
import { historyPage, type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { checkFilter } from "../filters/check.ts";

export async function detections(
  _root: unknown,
  args: PageArgs<FilterDetectionInput, DetectionsSort>,
  context: ApiContext,
) {
  const { history, maxFirst } = context;
  checkFilter(args.filter);
  // A filter may ask for the zones of a detection, which stand in the intersections.
  await context.intersectionsReached();
  const page = await historyPage(args, maxFirst, (request) => detectionsPage(history, request));
  return toConnection(page, () => detectionsCount(history, args.filter));
}
