import type { MayHaveTag } from "../../filters/sql/current-tag.ts";
import { type KeyPart, orderBy } from "./keyset.ts";

/**
 * Selects the rows of `from` that fulfil the conditions, with one additional column. `areMany` is true when many rows
 * fulfil them.
 */
export type Widen = (from: string, conditions: readonly string[], areMany?: boolean) => string;

/** A filter in SQL. */
export interface Compiled {
  /** Conditions on the columns of the table. */
  readonly before: readonly string[];
  /** Conditions that also use the column that `widen` adds. */
  readonly behind: readonly string[];
  /** Undefined when no condition uses the column, which is costly to compute. */
  readonly widen?: Widen | undefined;
  /** A condition that may be used instead of `behind`. Undefined when nothing is cheaper. */
  readonly superset?: MayHaveTag | undefined;
}

/** A page as parts of an SQL query. */
export interface Question {
  readonly select: string;
  readonly from: string;
  /** A condition that all rows of `from` fulfil. */
  readonly within?: string;
  readonly condition: string;
  /** Adds the column that the condition uses. */
  readonly widen?: Widen | undefined;
  /** With `widen`: the rows that may fulfil the condition. */
  readonly superset?: MayHaveTag | undefined;
  /** With `widen`: further conditions on the columns of `from`. */
  readonly own: readonly string[];
  readonly key: readonly KeyPart[];
  readonly limit: number;
  /** The value of the sort's first column in the cursor, when that column is a time. */
  readonly startsAt: number | undefined;
}

export function plain({ select, from, within, condition, widen, own, key, limit }: Question): string {
  const rows = widen === undefined ? from : widen(from, within === undefined ? own : [...own, within]);
  return `SELECT ${select} FROM ${rows} WHERE ${condition} ORDER BY ${orderBy(key)} LIMIT ${limit}`;
}
