// Queries a GraphQL server for the tracks that share an id: several data sources may have used the same one.
import { isSeenLater, type Sighting } from "../../../projections/track/seen-last.ts";
import { Problem } from "../http/problem.ts";
import type { PageSize } from "../upstream/page-size.ts";
import { sightingsAnswer } from "./answers.ts";
import type { AskTracks } from "./ask-tracks.ts";
import { SIGHTINGS } from "./documents.ts";
import { walkPages } from "./pages.ts";

/** The maximum number of tracks that are compared for the ids of one query: more than there are cameras. */
const MAX_TWINS = 50_000;

/**
 * Expects tracks that were found by their ids alone.
 * @returns true when several of them have the same id.
 */
export const haveTwins = (tracks: readonly { readonly id: string }[]): boolean =>
  new Set(tracks.map(({ id }) => id)).size < tracks.length;

/**
 * Returns a filter that finds, for each id, the track that was seen last. A track whose data source was deleted counts
 * only when no other one has the id.
 */
export async function seenLastFilter(
  ids: readonly string[],
  { ask, pages }: Pick<AskTracks, "ask"> & { readonly pages: PageSize },
): Promise<object> {
  const filter = { id: { in: ids } };
  const pageBehind = (after: string | null) =>
    pages.ask(async (first) => (await ask(SIGHTINGS, { filter, first, after }, sightingsAnswer)).tracks);
  const last = new Map<string, Sighting | undefined>();
  let left = MAX_TWINS;
  for await (const tracks of walkPages(pageBehind)) {
    left -= tracks.length;
    if (left < 0) throw new Problem("validation", `more than ${MAX_TWINS} tracks have these ids: ask for fewer tracks`);
    for (const { id, dataSourceId, lastSeen } of tracks) {
      const before = last.get(id);
      const sighting = dataSourceId === null ? undefined : { dataSourceId, lastSeen };
      if (before === undefined || (sighting !== undefined && isSeenLater(sighting, before))) last.set(id, sighting);
    }
  }
  const sources = new Set(Array.from(last.values(), (sighting) => sighting?.dataSourceId));
  const or = Array.from(last, ([id, sighting]) => filterOf(id, sighting));
  // A condition on data sources would leave out the tracks that have none.
  if (sources.has(undefined)) return { ...filter, or };
  return { ...filter, dataSourceId: { in: [...sources] }, or };
}

const filterOf = (id: string, sighting: Sighting | undefined): object =>
  sighting === undefined ? { id: { eq: id } } : { id: { eq: id }, dataSourceId: { eq: sighting.dataSourceId } };
