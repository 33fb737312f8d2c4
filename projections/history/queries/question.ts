import { type KeyPart, orderBy } from "./keyset.ts";

/** Selects the rows of `from` that fulfil the conditions, with a column more. */
export type Widen = (from: string, conditions: readonly string[]) => string;

/** A filter in SQL. */
export interface Compiled {
  /** On the columns of the table. */
  readonly before: readonly string[];
  /** Also on the column that `widen` adds. */
  readonly behind: readonly string[];
  /** Undefined when no condition is on the column: it is costly. */
  readonly widen?: Widen | undefined;
}

/** A page in the terms of SQL. */
export interface Question {
  readonly select: string;
  readonly from: string;
  /** The rows of `from` fulfil it. */
  readonly within?: string;
  readonly condition: string;
  /** The condition is on a column that it adds. */
  readonly widen?: Widen | undefined;
  readonly key: readonly KeyPart[];
  readonly limit: number;
  /** Of a cursor: the first column of its sort, if that is a time. */
  readonly startsAt: number | undefined;
}

export function plain({ select, from, within, condition, widen, key, limit }: Question): string {
  const rows = widen === undefined ? from : widen(from, within === undefined ? [] : [within]);
  return `SELECT ${select} FROM ${rows} WHERE ${condition} ORDER BY ${orderBy(key)} LIMIT ${limit}`;
}
