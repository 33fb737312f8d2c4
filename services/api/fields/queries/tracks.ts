import { tracksCount, tracksPage } from "../../../../projections/history/queries/tracks.ts";
import type { FilterTrackInput, TracksSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

export const tracks = (_root: unknown, args: PageArgs<FilterTrackInput, TracksSort>, context: ApiContext) =>
  historyQuery(args, context, { reached: context.historyReached, page: tracksPage, count: tracksCount });
