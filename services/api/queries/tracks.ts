import { tracksCount, tracksPage } from "../../../projections/history/queries/tracks.ts";
import type { FilterTrackInput, TracksSort } from "../../../schemas/filters.ts";
import { historyPage, type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { readFilter } from "../filters/read-filter.ts";

export async function tracks(_root: unknown, args: PageArgs<FilterTrackInput, TracksSort>, context: ApiContext) {
  const { history, maxFirst, filterLimits } = context;
  const filter = readFilter(args.filter, filterLimits);
  await context.historyReached();
  const page = await historyPage({ ...args, filter }, maxFirst, (request) => tracksPage(history, request));
  return toConnection(page, () => tracksCount(history, filter));
}
