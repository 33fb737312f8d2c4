// Finds tracks by a tag that few tracks have had, from the headers in single rows, so that only the rows of these
// tracks are folded.
import type { FilterTrackInput } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { given, type Params } from "../../filters/sql/sql.ts";
import { trackFields } from "../../filters/tracks.ts";
import { tracksTable } from "../tracks.ts";
import { askCount, type QueryClient } from "./run.ts";
import { TRACK_KEY } from "./track-candidates.ts";

/** Finding more keys than this takes the store as long as folding all tracks. */
const FEW = 20_000;

/** Returns a condition that all tracks with the filter's tag fulfil: some row of such a track contains the tag. */
export async function ofRareTag(
  client: QueryClient,
  filter: FilterTrackInput,
  params: Params,
): Promise<string | undefined> {
  const tags = tagsOf(filter);
  if (tags === undefined) return undefined;
  const condition = compile(trackFields, tags, { params, dataSourceIds: () => [] });
  const keys = `SELECT ${TRACK_KEY} FROM (SELECT ${TRACK_KEY}, header_tag.2 AS tag FROM ${tracksTable.name}) WHERE ${condition}`;
  const count = await askCount(client, "tracks that have had a tag", `(${keys} LIMIT ${FEW + 1})`, "1", params);
  return count > FEW ? undefined : `(${TRACK_KEY}) IN (${keys})`;
}

/** The part of the filter with conditions on tags alone. */
function tagsOf({ tag, and, or, not }: FilterTrackInput): FilterTrackInput | undefined {
  const parts: FilterTrackInput[] = (and ?? []).flatMap((each) => tagsOf(each) ?? []);
  if (given(tag)) parts.push({ tag });
  if (given(or) && or.every(asksTagsOnly)) parts.push({ or });
  if (given(not) && asksTagsOnly(not)) parts.push({ not });
  return parts.length === 0 ? undefined : { and: parts };
}

function asksTagsOnly({ tag: _tag, and, or, not, ...others }: FilterTrackInput): boolean {
  const within = [...(and ?? []), ...(or ?? []), ...(given(not) ? [not] : [])];
  return !Object.values(others).some(given) && within.every(asksTagsOnly);
}
