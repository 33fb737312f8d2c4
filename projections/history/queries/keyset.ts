// Pages by key: a cursor holds the sort key of its row, and the next page is whatever sorts after it. So page 1 000 costs
// what page 1 costs, and rows that arrive meanwhile neither shift nor repeat anything.
import { createHash } from "node:crypto";
import { badInput } from "../../../schemas/errors.ts";
import type { SortDirection } from "../../../schemas/filters.ts";
import { all, any, bindTime, type Params } from "../../filters/sql/sql.ts";
import type { Page } from "./records.ts";

export interface KeyColumn {
  readonly sql: string;
  readonly type: "String" | "time";
}

export interface KeyPart extends KeyColumn {
  readonly direction: SortDirection;
}

type KeyValue = string | number;

const HASH_CHARACTERS = 16;

/** The sort asked for, made total by the columns that identify a row; a column sorts where it stands first. */
export function sortKey<Field extends string>(
  sort: readonly { readonly field: Field; readonly direction: SortDirection }[],
  columns: Readonly<Record<Field, KeyColumn>>,
  identity: readonly KeyColumn[],
): KeyPart[] {
  const parts = new Map<string, KeyPart>();
  for (const { field, direction } of sort) {
    const column = columns[field];
    if (!parts.has(column.sql)) parts.set(column.sql, { ...column, direction });
  }
  for (const column of identity) if (!parts.has(column.sql)) parts.set(column.sql, { ...column, direction: "ASC" });
  return [...parts.values()];
}

export const orderBy = (key: readonly KeyPart[]): string =>
  key.map(({ sql, direction }) => `${sql} ${direction}`).join(", ");

/** Rows that sort after `values`. */
export function after(params: Params, key: readonly KeyPart[], values: readonly KeyValue[]): string {
  const placeholders = key.map((part, i) => bindKey(params, part, values[i] ?? ""));
  const alternatives = key.map(({ sql, direction }, i) => {
    const equal = key.slice(0, i).map((earlier, j) => `${earlier.sql} = ${placeholders[j]}`);
    return all([...equal, `${sql} ${direction === "ASC" ? ">" : "<"} ${placeholders[i]}`]);
  });
  const [lead] = key;
  // Follows from the alternatives, but only said alone does it let ClickHouse skip what lies before.
  const bound = lead === undefined ? "1" : `${lead.sql} ${lead.direction === "ASC" ? ">=" : "<="} ${placeholders[0]}`;
  return all([bound, any(alternatives)]);
}

const bindKey = (params: Params, { type }: KeyColumn, value: KeyValue): string =>
  type === "time" ? bindTime(params, Number(value)) : params.bind("String", String(value));

/** Says which question a cursor belongs to. */
export function fingerprint(filter: unknown, key: readonly KeyPart[]): string {
  const question = canonical([filter, key.map(({ sql, direction }) => [sql, direction])]);
  return createHash("sha1").update(question).digest("base64url").slice(0, HASH_CHARACTERS);
}

export function encodeCursor(values: readonly KeyValue[], print: string): string {
  return Buffer.from(JSON.stringify([print, ...values])).toString("base64url");
}

/** Throws BAD_USER_INPUT when the cursor is none of ours or answers another filter or sort. */
export function decodeCursor(cursor: string, key: readonly KeyPart[], print: string): KeyValue[] {
  const parsed = parse(Buffer.from(cursor, "base64url").toString());
  if (!Array.isArray(parsed) || parsed.length !== key.length + 1) throw badInput("not a cursor of this query");
  const [owner, ...values] = parsed;
  if (owner !== print) throw badInput("this cursor belongs to another filter or sort");
  return key.map(({ type }, i) => {
    const value: unknown = values[i];
    if (type === "time" ? Number.isSafeInteger(value) : typeof value === "string") return value as KeyValue;
    throw badInput("not a cursor of this query");
  });
}

/** `rows` are up to first + 1; the extra one only tells that there is more. */
export function toPage<T>(
  rows: readonly T[],
  first: number,
  startedAfter: boolean,
  cursorOf: (row: T) => string,
): Page<T> {
  return {
    edges: rows.slice(0, first).map((node) => ({ node, cursor: cursorOf(node) })),
    hasNextPage: rows.length > first,
    hasPreviousPage: startedAfter,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON with sorted members and without missing ones: the order in which a caller writes a filter does not matter. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join()}}`;
}
