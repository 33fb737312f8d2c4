import { all, type Params } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";
import { bindKeys, bindWritten, type KeyColumn } from "./keyset.ts";
import { areMany } from "./many-rows.ts";
import { plain, type Question } from "./question.ts";
import { ask, type QueryClient } from "./run.ts";

/** For kinds whose sort columns all belong to the table's key, and whose filters may match few rows of many. */
export interface KeysNarrow {
  /** The table without FINAL. */
  readonly table: string;
  /** The table's key. */
  readonly keys: readonly KeyColumn[];
  /** Returns a query that merges the rows that fulfil a condition on the key, and selects those that count. */
  readonly merge: (condition: string) => string;
}

interface Step {
  /** Selects keys, among them those of the page. */
  readonly naming: Question;
  /** True when a page that is not full may still have other rows than the named ones. */
  readonly isPart: boolean;
}

/**
 * Number of unmerged rows from which keys are read, for each row of the page. The second attempt allows for more
 * unmerged rows than any key has.
 */
const SPARE = 2;
const SPARE_OF_KEYS = [SPARE, 32];
/**
 * When each row needs a look-up, a page is first tried on the rows at the beginning of the range: this many for each
 * row of the page.
 */
const FIRST_ROWS = 20;

/**
 * A filter that matches few rows must test the whole range, which is too much to merge. So the query first reads the
 * keys of the first unmerged rows that match, and then merges only the rows of these keys. The row that counts for a
 * key is itself among the unmerged rows.
 */
export async function answerByKeys(
  client: QueryClient,
  name: string,
  question: Question,
  { table, keys, merge }: KeysNarrow,
  params: Params,
): Promise<WireRow[]> {
  const columns = keys.map(({ sql }) => sql).join(", ");
  const asking = { ...question, select: columns, from: table };
  for await (const { naming, isPart } of stepsOf(client, name, asking, params)) {
    const named = await ask<WireRow>(client, `${name}: keys`, plain(naming), params);
    if (named.length === 0 && !isPart) return [];
    if (named.length === 0) continue;
    const within = `(${columns}) IN ${bindKeys(params, keys, named)}`;
    const merged = { ...question, from: `(${merge(within)})`, within };
    const rows = await ask<WireRow>(client, name, plain(merged), params);
    if (rows.length === question.limit || (!isPart && named.length < naming.limit)) return rows;
  }
  return ask<WireRow>(client, name, plain(question), params);
}

async function* stepsOf(client: QueryClient, name: string, asking: Question, params: Params): AsyncGenerator<Step> {
  const { widen, superset, own, limit } = asking;
  const end = widen === undefined ? undefined : await endOfFirst(client, name, asking, params);
  let whole = asking;
  if (end !== undefined) {
    // If matches are frequent, the first rows contain enough of them. If they are rare, a look-up for each row costs
    // more than a search for the rows that may match.
    yield { naming: { ...asking, within: end, limit: limit * SPARE }, isPart: true };
    if (superset !== undefined && (await areMany(client, name, asking.from, asking.own, params)))
      whole = { ...asking, widen: undefined, condition: all([...own, superset.condition]) };
  }
  for (const spare of SPARE_OF_KEYS) yield { naming: { ...whole, limit: limit * spare }, isPart: false };
}

/** Returns a condition that only the first rows of the range fulfil. */
async function endOfFirst(client: QueryClient, name: string, { from, own, key, limit }: Question, params: Params) {
  const [lead] = key;
  if (lead === undefined) return undefined;
  const sql = `SELECT ${lead.sql} FROM ${from} WHERE ${all(own)}
    ORDER BY ${lead.sql} ${lead.direction} LIMIT 1 OFFSET ${limit * FIRST_ROWS}`;
  const [row] = await ask<WireRow>(client, `${name}: end of the first`, sql, params);
  if (row === undefined) return undefined;
  return `${lead.sql} ${lead.direction === "ASC" ? "<=" : ">="} ${bindWritten(params, lead, row)}`;
}
