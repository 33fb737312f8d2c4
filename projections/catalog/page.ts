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

interface Entry<T> {
  readonly item: T;
  readonly key: Key;
}

export interface Pager<T> {
  add(item: T): void;
  page(): Page<T>;
}

/** Gathers a page from all items, in any order. Throws BAD_USER_INPUT for a cursor that does not belong to this order. */
export function createPager<T, Field extends string>(
  { sort, value, id }: Order<T, Field>,
  { first, after }: Slice,
): Pager<T> {
  const parts: readonly CursorPart[] = [...sort, { type: "String", direction: "ASC" }];
  // The filter is no part of it: a cursor holds a sort key, not a count, so another filter does not move its place.
  const print = fingerprint(null, parts);
  const start = after == null ? undefined : decodeCursor(after, parts, print);
  const least = createLeast<Entry<T>>(first + 1, (a, b) => compareKeys(a.key, b.key, parts));
  let startedAfter = false;
  return {
    add(item) {
      const key = [...sort.map(({ field }) => value(item, field)), id(item)];
      if (start === undefined || compareKeys(key, start, parts) > 0) least.add({ item, key });
      else startedAfter = true;
    },
    page() {
      const page = toPage(least.sorted(), first, startedAfter, ({ key }) => encodeCursor(key, print));
      return { ...page, edges: page.edges.map(({ node, cursor }) => ({ node: node.item, cursor })) };
    },
  };
}

/** Small pages are not sorted more often than this. */
const MIN_SORTED = 64;

/** The least `count` of what is added: most of many entries are compared once and then forgotten. */
function createLeast<T>(count: number, compare: (a: T, b: T) => number) {
  let kept: T[] = [];
  /** The last one of a full list; what is not before it is not among the least. */
  let last: T | undefined;

  function cut(): T[] {
    kept = kept.sort(compare).slice(0, count);
    if (kept.length === count) last = kept.at(-1);
    return kept;
  }

  return {
    add(each: T): void {
      if (last !== undefined && compare(each, last) >= 0) return;
      kept.push(each);
      // Twice as many as are kept, so that there are few sorts.
      if (kept.length >= Math.max(count * 2, MIN_SORTED)) cut();
    },
    sorted: cut,
  };
}

function compareKeys(a: Key, b: Key, parts: readonly CursorPart[]): number {
  for (let i = 0; i < parts.length; i++) {
    const left = a[i] ?? "";
    const right = b[i] ?? "";
    if (left === right) continue;
    const ascending = left < right ? -1 : 1;
    return parts[i]?.direction === "DESC" ? -ascending : ascending;
  }
  return 0;
}
