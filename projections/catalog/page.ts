// Sorting and keyset pages over items in memory.

import type { Sort } from "../../schemas/filters.ts";
import { type CursorPart, decodeCursor, encodeCursor, fingerprint, type KeyValue, toPage } from "../cursors.ts";
import type { Page } from "../history/queries/records.ts";

export interface Order<T, Field extends string> {
  readonly sort: readonly Sort<Field>[];
  readonly value: (item: T, field: Field) => KeyValue;
  /** Decides the order of items with equal sort values. */
  readonly id: (item: T) => string;
}

export interface Slice {
  /** Number of items; 0 or more. */
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

/**
 * Collects a page from all items, which may come in any order. Throws BAD_USER_INPUT for a cursor that does not belong
 * to this order.
 */
export function createPager<T, Field extends string>(
  { sort, value, id }: Order<T, Field>,
  { first, after }: Slice,
): Pager<T> {
  const parts: readonly CursorPart[] = [...sort, { type: "String", direction: "ASC" }];
  // The fingerprint does not contain the filter: a cursor contains a sort key, not a count, so it marks the same place
  // under another filter.
  const orderFingerprint = fingerprint(null, parts);
  const start = after == null ? undefined : decodeCursor(after, parts, orderFingerprint);
  const smallest = createSmallest<Entry<T>>(first + 1, (a, b) => compareKeys(a.key, b.key, parts));
  let startedAfter = false;
  return {
    add(item) {
      const key = [...sort.map(({ field }) => value(item, field)), id(item)];
      if (start === undefined || compareKeys(key, start, parts) > 0) smallest.add({ item, key });
      else startedAfter = true;
    },
    page() {
      const page = toPage(smallest.sorted(), first, startedAfter, ({ key }) => encodeCursor(key, orderFingerprint));
      return { ...page, edges: page.edges.map(({ node, cursor }) => ({ node: node.item, cursor })) };
    },
  };
}

/** The list is not sorted before it has this many items, so that small pages are sorted rarely. */
const MIN_SORTED = 64;

/** Keeps the `count` added items that sort first. Of many items, most are compared once and then dropped. */
function createSmallest<T>(count: number, compare: (a: T, b: T) => number) {
  let kept: T[] = [];
  /** The last item of a full list. An item that does not sort before it is not needed. */
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
      // The list grows to twice the items that are kept, so that it is sorted rarely.
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
