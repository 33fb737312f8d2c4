// Sorting and keyset pages over what lies in memory. A cursor says after which sort values and id a page begins, not how
// many came before, so it stays right when entities come and go.

import { badInput } from "../../schemas/errors.ts";
import type { Sort } from "../../schemas/filters.ts";
import type { Page } from "../history/queries/records.ts";

type Comparable = string | number;

export interface Order<T, Field extends string> {
  readonly sort: readonly Sort<Field>[];
  readonly value: (item: T, field: Field) => Comparable;
  /** Settles equal sort values. */
  readonly id: (item: T) => string;
}

export interface Slice {
  /** 0 or more. */
  readonly first: number;
  readonly after?: string | null | undefined;
}

/** Throws BAD_USER_INPUT for a cursor that does not belong to this order. */
export function pageOf<T, Field extends string>(
  items: readonly T[],
  order: Order<T, Field>,
  { first, after }: Slice,
): Page<T> {
  const signature = order.sort.map(({ field, direction }) => `${field} ${direction}`).join(",");
  const sorted = items.map((item) => ({ item, key: keyOf(item, order) }));
  sorted.sort((a, b) => compareKeys(a.key, b.key, order.sort));
  const start = after == null ? 0 : startAfter(sorted, decode(after, signature, order.sort.length), order.sort);
  const taken = sorted.slice(start, start + first);
  return {
    edges: taken.map(({ item, key }) => ({ node: item, cursor: encode(signature, key) })),
    hasNextPage: start + taken.length < sorted.length,
    hasPreviousPage: start > 0,
  };
}

type Key = readonly Comparable[];

const keyOf = <T, Field extends string>(item: T, { sort, value, id }: Order<T, Field>): Key => [
  ...sort.map(({ field }) => value(item, field)),
  id(item),
];

function compareKeys(a: Key, b: Key, sort: readonly Sort<string>[]): number {
  for (let i = 0; i < a.length; i++) {
    const [left = "", right = ""] = [a[i], b[i]];
    if (left === right) continue;
    const ascending = left < right ? -1 : 1;
    return sort[i]?.direction === "DESC" ? -ascending : ascending;
  }
  return 0;
}

function startAfter(sorted: readonly { readonly key: Key }[], after: Key, sort: readonly Sort<string>[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = sorted[middle]?.key ?? [];
    if (compareKeys(key, after, sort) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const encode = (signature: string, key: Key): string =>
  Buffer.from(JSON.stringify([signature, ...key])).toString("base64url");

function decode(cursor: string, signature: string, fields: number): Key {
  const [signed, ...key] = read(cursor);
  if (signed !== signature || key.length !== fields + 1 || !key.every(isComparable)) {
    throw badInput("the cursor is not one of a page with this sort", ["after"]);
  }
  return key;
}

function read(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

const isComparable = (part: unknown): part is Comparable => typeof part === "string" || typeof part === "number";
