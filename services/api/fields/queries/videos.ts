import { videosCount, videosPage } from "../../../../projections/history/queries/videos.ts";
import type { FilterVideoInput, VideosSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export const videos = (_root: unknown, args: PageArgs<FilterVideoInput, VideosSort>, context: ApiContext) =>
  historyQuery(args, context, {
    reached: () => context.historyReached("videos"),
    page: videosPage,
    count: videosCount,
  });
