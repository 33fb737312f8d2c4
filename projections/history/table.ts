// Each column of a table is declared once: how a row gets its value, and how the value is read back. Inserts, selects
// and records derive from the declaration. The types for the store are in the migrations, and the projector reads them
// from the store.
import { type Columns, columnsOf, type Values } from "./columns.ts";

export interface ColumnReader<Value> {
  /** True for a DateTime64(3), which queries select as milliseconds. */
  readonly isTime?: boolean;
  /** True for lists of lists of numbers. */
  readonly isNumberLists?: boolean;
  readonly of: (wire: unknown) => Value;
}

export interface Column<Source> {
  readonly from: (source: Source) => unknown;
  /** Absent for a column that no query returns. */
  readonly read?: ColumnReader<unknown>;
}

/** A row as the store sends it. */
export type WireRow = Readonly<Record<string, unknown>>;

// The casts are safe: the projector wrote these values, and their types are in the migrations.
export const textColumn: ColumnReader<string> = { of: (wire) => wire as string };
export const textOrNullColumn: ColumnReader<string | null> = { of: (wire) => wire as string | null };
export const numberOrNullColumn: ColumnReader<number | null> = { of: (wire) => wire as number | null };
export const numberListsColumn: ColumnReader<readonly (readonly number[])[]> = {
  isNumberLists: true,
  of: (wire) => wire as number[][],
};
/** 64-bit integers arrive as strings. */
export const timeColumn: ColumnReader<number> = { isTime: true, of: Number };
export const timeOrNullColumn: ColumnReader<number | null> = {
  isTime: true,
  of: (wire) => (wire === null ? null : Number(wire)),
};

export interface Reader<Row> {
  /** Text between SELECT and FROM that fetches all columns which `read` needs. */
  readonly select: string;
  readonly read: (wire: WireRow) => Row;
}

type Readable = Readonly<Record<string, { readonly from?: unknown; readonly read?: ColumnReader<unknown> }>>;

/** The values by the columns that can be read. A time is a number of milliseconds. */
export type ReadRow<Columns extends Readable> = {
  readonly [Name in keyof Columns as Columns[Name] extends { readonly read: ColumnReader<unknown> }
    ? Name
    : never]: Columns[Name] extends { readonly read: ColumnReader<infer Value> } ? Value : never;
};

export function createReader<Columns extends Readable>(columns: Columns): Reader<ReadRow<Columns>> {
  const reads = Object.entries(columns).flatMap(([name, { read }]) => {
    // A time's alias must differ from its column's name; otherwise conditions would refer to the number.
    return read === undefined ? [] : [{ name, of: read.of, alias: read.isTime === true ? `${name}_ms` : name }];
  });
  return {
    select: reads
      .map(({ name, alias }) => (alias === name ? name : `toUnixTimestamp64Milli(${name}) AS ${alias}`))
      .join(", "),
    read(wire) {
      const row: Record<string, unknown> = {};
      for (const { name, of, alias } of reads) row[name] = of(wire[alias]);
      return row as ReadRow<Columns>;
    },
  };
}

/** The part of a table that an insert needs. */
export interface Table {
  readonly name: string;
  /** The columns in the order of a row's values. */
  readonly columns: readonly [string, ...string[]];
}

/** Values that JSON can hold. A DateTime64(3) is its milliseconds. */
export type Row = readonly unknown[];

export interface RowTable<Source> extends Table {
  row(source: Source): Row;
  /** Returns the empty columns of a new flush. */
  collect(): Columns<Source>;
  rowsOf(sources: Iterable<Source>): TableRows;
}

/** The rows of one flush. */
export interface TableRows {
  readonly table: Table;
  readonly size: number;
  /** Returns the values of one column, in the order of the rows. */
  column(index: number): Values;
  /** The same values by row. */
  readonly rows: readonly Row[];
  /** Gives the memory of the values to later flushes. Nobody may read them afterwards. */
  release(): void;
}

export function createTable<Source>(name: string, columns: Readonly<Record<string, Column<Source>>>): RowTable<Source> {
  const [first, ...rest] = Object.keys(columns);
  if (first === undefined) throw new Error(`${name} has no columns`);
  const cells = Object.values(columns);
  const table: Table = { name, columns: [first, ...rest] };
  const collect = columnsOf(table, cells);
  return {
    ...table,
    row: (source) => cells.map(({ from }) => from(source)),
    collect,
    rowsOf(sources) {
      const collected = collect();
      for (const source of sources) collected.add(source);
      return collected.rows();
    },
  };
}

/** Returns the columns unchanged, but gives their functions the type of the source. */
export const columnsFrom =
  <Source>() =>
  <Columns extends Readonly<Record<string, Column<Source>>>>(columns: Columns): Columns =>
    columns;

/** The log position and time at which a message was recorded. */
export interface RecordedAt {
  readonly partition: number;
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
}
