// Pages by key: a cursor holds the sort key of its item, and the next page holds the items that sort after it. So page
// 1 000 costs as much as page 1, and new items neither shift nor repeat others. Pages of tables and of memory work the
// same way.

import { createHash } from "node:crypto";
import { stringify } from "safe-stable-stringify";
import { badInput } from "../schemas/errors.ts";
import type { SortDirection } from "../schemas/filters.ts";
import { jsonOf } from "../schemas/json.ts";
import type { Page } from "./history/queries/records.ts";

/** A part of the sort key. The value of a part without a type is a text or a number. */
export interface CursorPart {
  readonly type?: "String" | "time";
  readonly direction: SortDirection;
}

export type KeyValue = string | number;

const HASH_CHARACTERS = 16;

/**
 * Returns a hash of the filter and the sort key, by which a cursor is recognised as one of its own query. The order in
 * which a client writes a filter does not matter.
 */
export function fingerprint(filter: unknown, key: readonly CursorPart[]): string {
  const question = stringify([filter, key], (_name, member: unknown) => (member === null ? undefined : member)) ?? "";
  return createHash("sha1").update(question).digest("base64url").slice(0, HASH_CHARACTERS);
}

export function encodeCursor(values: readonly KeyValue[], print: string): string {
  return Buffer.from(JSON.stringify([print, ...values])).toString("base64url");
}

/** Throws BAD_USER_INPUT when the cursor is not one of ours, or belongs to another filter or sort. */
export function decodeCursor(cursor: string, key: readonly CursorPart[], print: string): KeyValue[] {
  const parsed = jsonOf(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(parsed) || parsed.length !== key.length + 1) throw badCursor("not a cursor of this query");
  const [owner, ...values]: unknown[] = parsed;
  if (owner !== print) throw badCursor("this cursor belongs to another filter or sort");
  return key.map(({ type }, i) => {
    const value = values[i];
    if (type !== "time" && typeof value === "string") return value;
    if (type !== "String" && typeof value === "number" && isStored(value, type)) return value;
    throw badCursor("not a cursor of this query");
  });
}

/** Times are whole milliseconds. */
const isStored = (value: number, type: CursorPart["type"]): boolean => type !== "time" || Number.isSafeInteger(value);

const badCursor = (message: string) => badInput(message, ["after"]);

/** `items` holds up to first + 1; the extra one only shows that there is a next page. */
export function toPage<T>(
  items: readonly T[],
  first: number,
  startedAfter: boolean,
  cursorOf: (item: T) => string,
): Page<T> {
  return {
    edges: items.slice(0, first).map((node) => ({ node, cursor: cursorOf(node) })),
    hasNextPage: items.length > first,
    hasPreviousPage: startedAfter,
  };
}
