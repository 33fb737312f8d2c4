// Writes the answer to a chronicle query as JSON. Raw objects are inserted as the JSON texts that `rawJson` made of
// them.
import { groupsOf, rollupOf } from "../../../projections/chronicles/query/aggregate.ts";
import type { Found } from "../../../projections/chronicles/query/collect.ts";
import { badInput } from "../../../schemas/errors.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { ChronicleGrouping, ChronicleQuery } from "../../../schemas/rest/chronicle-query.ts";

export interface Retained {
  readonly retained: readonly Found[];
  readonly truncated: boolean;
  readonly chunks: number;
}

/** The maximum number of characters of raw objects in an answer. An object in several groups counts once for each. */
export const MAX_LENGTH = 64 * 1024 * 1024;

export function answerTo(query: ChronicleQuery, found: Retained): string {
  const { output, group_by: grouping } = query.aggregation;
  const { retained } = found;
  const members: string[] = [];
  if (output === "raw" || output === "raw_and_rollup") members.push(`"chronicles":${raw([retained])[0]}`);
  if (output === "grouped" && grouping !== undefined) members.push(`"groups":${groups(retained, grouping)}`);
  if (output === "rollup" || output === "raw_and_rollup")
    members.push(`"rollup":${JSON.stringify(rollupOf(retained))}`);
  members.push(`"meta":${JSON.stringify(metaOf(query, found))}`);
  return `{${members.join(",")}}`;
}

function groups(retained: readonly Found[], grouping: ChronicleGrouping): string {
  const all = groupsOf(retained, grouping);
  const lists = raw(all.map(({ chronicles }) => chronicles));
  const written = all.map(
    ({ key, chronicles }, index) =>
      `{"key":${JSON.stringify(key)},"count":${chronicles.length},"chronicles":${lists[index]}}`,
  );
  return `[${written.join(",")}]`;
}

function raw(lists: readonly (readonly Found[])[]): readonly string[] {
  const length = lists.reduce((sum, list) => list.reduce((total, { json }) => total + json.length, sum), 0);
  if (length > MAX_LENGTH) throw answerTooLarge();
  return lists.map((list) => `[${list.map(({ json }) => json).join(",")}]`);
}

export const answerTooLarge = () =>
  badInput("the answer would be too large: ask for fewer (limit), or for a rollup", ["limit"]);

const metaOf = (query: ChronicleQuery, { retained, truncated, chunks }: Retained) => ({
  window: { start_time: isoTime(query.start_time), end_time: isoTime(query.end_time), time_match: query.time_match },
  record_kind: query.record_kind,
  chunks_queried: chunks,
  total_matched: retained.length,
  truncated,
});
