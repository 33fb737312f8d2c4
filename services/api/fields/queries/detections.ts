import { detectionsCount, detectionsPage } from "../../../../projections/history/queries/detections.ts";
import type { DetectionFilter, DetectionOrder } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export const detections = (_root: unknown, args: PageArgs<DetectionFilter, DetectionOrder>, context: ApiContext) =>
  historyQuery(args, context, {
    // A filter may need the zones of a detection, which follow from the intersections.
    reached: context.intersectionsReached,
    page: detectionsPage,
    count: detectionsCount,
  });
