import { readFilter } from "../../../../projections/filters/read-filter.ts";
import { tracksCount, tracksPage } from "../../../../projections/history/queries/tracks.ts";
import type { FilterTrackInput, TracksSort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyPage, type PageArgs, toConnection } from "../../read/connection.ts";

export async function tracks(_root: unknown, args: PageArgs<FilterTrackInput, TracksSort>, context: ApiContext) {
  const { history, maxFirst, filterLimits } = context;
  const filter = readFilter(args.filter, filterLimits);
  await context.historyReached();
  const page = await historyPage({ ...args, filter }, maxFirst, (request) => tracksPage(history, request));
  return toConnection(page, () => tracksCount(history, filter));
}
