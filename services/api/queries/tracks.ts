import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import type { FilterTrackInput, TracksSort } from "../../../schemas/filters.ts";
import { historyPage, type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { checkFilter } from "../filters/check.ts";

export async function tracks(_root: unknown, args: PageArgs<FilterTrackInput, TracksSort>, context: ApiContext) {
  const { history, maxFirst } = context;
  checkFilter(args.filter);
  await context.historyReached();
  const page = await historyPage(args, maxFirst, (request) => tracksPage(history, request));
  return toConnection(page, () => tracksCount(history, args.filter));
}
