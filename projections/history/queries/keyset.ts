// The sort key of a page in SQL.
import type { SortDirection } from "../../../schemas/filters.ts";
import type { KeyValue } from "../../cursors.ts";
import { all, any, bindTime, type Params } from "../../filters/sql/sql.ts";
import type { WireRow } from "../table.ts";

export interface KeyColumn {
  readonly sql: string;
  readonly type: "String" | "time";
}

/** A column by which clients sort. */
export interface SortColumn<Rec> extends KeyColumn {
  /** The value of the column in a record. */
  readonly of: (record: Rec) => string | number;
}

/** Returns the function that gives a record's value of a column of the sort key. */
export function keyOfSorts<Rec>(sorts: Readonly<Record<string, SortColumn<Rec>>>) {
  const bySql = new Map(Object.values(sorts).map(({ sql, of }) => [sql, of]));
  return (record: Rec, sql: string): string | number => bySql.get(sql)?.(record) ?? "";
}

export interface KeyPart extends KeyColumn {
  readonly direction: SortDirection;
}

/**
 * Returns the client's sort, made total by the columns that identify a row. Of a repeated column the first place
 * counts.
 */
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

/** The condition on rows that sort after `values`. */
export function after(params: Params, key: readonly KeyPart[], values: readonly KeyValue[]): string {
  const placeholders = key.map((part, i) => bindKey(params, part, values[i] ?? ""));
  const alternatives = key.map(({ sql, direction }, i) => {
    const equal = key.slice(0, i).map((earlier, j) => `${earlier.sql} = ${placeholders[j]}`);
    return all([...equal, `${sql} ${direction === "ASC" ? ">" : "<"} ${placeholders[i]}`]);
  });
  const [lead] = key;
  // The alternatives imply this bound. ClickHouse skips the earlier rows only when the bound is a condition of its own.
  const bound = lead === undefined ? "1" : `${lead.sql} ${lead.direction === "ASC" ? ">=" : "<="} ${placeholders[0]}`;
  return all([bound, any(alternatives)]);
}

const bindKey = (params: Params, { type }: KeyColumn, value: KeyValue): string =>
  type === "time" ? bindTime(params, Number(value)) : params.bind("String", String(value));

/** Binds a column of a row in the form in which ClickHouse returned it. */
export const bindWritten = (params: Params, column: KeyColumn, row: WireRow): string =>
  params.bind(wireType(column), row[column.sql]);

/** Binds the keys of rows in the form in which ClickHouse returned them. */
export function bindKeys(params: Params, columns: readonly KeyColumn[], rows: readonly WireRow[]): string {
  const types = columns.map(wireType);
  const tuples = rows.map((row) => columns.map(({ sql }) => row[sql]));
  return params.bindTuples(`Tuple(${types.join(", ")})`, tuples);
}

const wireType = ({ type }: KeyColumn): string => (type === "time" ? "DateTime64(3, 'UTC')" : type);
