import { type KeyPart, orderBy } from "./keyset.ts";

/** A page in the terms of SQL. */
export interface Question {
  readonly select: string;
  readonly from: string;
  readonly condition: string;
  readonly key: readonly KeyPart[];
  readonly limit: number;
  /** Of a cursor: the first column of its sort, if that is a time. */
  readonly startsAt: number | undefined;
}

export const plain = ({ select, from, condition, key, limit }: Question): string =>
  `SELECT ${select} FROM ${from} WHERE ${condition} ORDER BY ${orderBy(key)} LIMIT ${limit}`;
