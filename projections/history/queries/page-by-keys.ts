import type { Params } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";
import { bindKeys, type KeyColumn } from "./keyset.ts";
import { plain, type Question } from "./question.ts";
import { type Asked, ask } from "./run.ts";

/** For kinds whose sort columns all belong to the table's key, and whose filters may match few rows of many. */
export interface KeysNarrow {
  /** Without FINAL. */
  readonly table: string;
  /** The table's key. */
  readonly keys: readonly KeyColumn[];
  /** Selects the rows that count of those that fulfil a condition on the key. */
  readonly merge: (condition: string) => string;
}

/** Of keys that were read first, each a row as it is in the table. No key has as many unmerged rows as the second try allows for. */
const SPARE_OF_KEYS = [2, 32];

/**
 * A filter that matches few rows reaches over the whole range, which is too much to merge. So the first rows that match, as
 * they are in the table, name the keys, and only the rows of these keys are merged. A row that counts is among those that match.
 */
export async function answerByKeys(
  client: Asked,
  name: string,
  question: Question,
  { table, keys, merge }: KeysNarrow,
  params: Params,
): Promise<WireRow[]> {
  const columns = keys.map(({ sql }) => sql).join(", ");
  for (const spare of SPARE_OF_KEYS) {
    const candidates = question.limit * spare;
    const first = plain({ ...question, select: columns, from: table, limit: candidates });
    const named = await ask<WireRow>(client, `${name}: keys`, first, params);
    if (named.length === 0) return [];
    const within = `(${columns}) IN ${bindKeys(params, keys, named)}`;
    const merged = { ...question, from: `(${merge(within)})`, within };
    const rows = await ask<WireRow>(client, name, plain(merged), params);
    if (rows.length === question.limit || named.length < candidates) return rows;
  }
  return ask<WireRow>(client, name, plain(question), params);
}
