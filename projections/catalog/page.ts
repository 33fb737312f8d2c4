// Sorting and keyset pages over items in memory.

import type { Sort } from "../../schemas/filters.ts";
import { type CursorPart, decodeCursor, encodeCursor, fingerprint, type KeyValue, toPage } from "../cursors.ts";
import type { Page } from "../history/queries/records.ts";

export interface Order<T, Field extends string> {
  readonly sort: readonly Sort<Field>[];
  readonly value: (item: T, field: Field) => KeyValue;
  /** Settles equal sort values. */
  readonly id: (item: T) => string;
}

export interface Slice {
  /** 0 or more. */
  readonly first: number;
  readonly after?: string | null | undefined;
}

type Key = readonly KeyValue[];

/** Throws BAD_USER_INPUT for a cursor that does not belong to this order. */
export function pageOf<T, Field extends string>(
  items: readonly T[],
  { sort, value, id }: Order<T, Field>,
  { first, after }: Slice,
): Page<T> {
  const parts: readonly CursorPart[] = [...sort, { type: "String", direction: "ASC" }];
  // The filter is no part of it: a cursor holds a sort key, not a count, so another filter does not move its place.
  const print = fingerprint(null, parts);
  const sorted = items.map((item) => ({ item, key: [...sort.map(({ field }) => value(item, field)), id(item)] }));
  sorted.sort((a, b) => compareKeys(a.key, b.key, parts));
  const start = after == null ? 0 : startAfter(sorted, decodeCursor(after, parts, print), parts);
  const page = toPage(sorted.slice(start, start + first + 1), first, start > 0, ({ key }) => encodeCursor(key, print));
  return { ...page, edges: page.edges.map(({ node, cursor }) => ({ node: node.item, cursor })) };
}

function compareKeys(a: Key, b: Key, parts: readonly CursorPart[]): number {
  for (let i = 0; i < parts.length; i++) {
    const [left = "", right = ""] = [a[i], b[i]];
    if (left === right) continue;
    const ascending = left < right ? -1 : 1;
    return parts[i]?.direction === "DESC" ? -ascending : ascending;
  }
  return 0;
}

function startAfter(sorted: readonly { readonly key: Key }[], after: Key, parts: readonly CursorPart[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = sorted[middle]?.key ?? [];
    if (compareKeys(key, after, parts) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
