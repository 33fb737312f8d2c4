// Each column of a table is declared once: where a row's value comes from, and how it is read back. Inserts, selects
// and records derive from that. The types for the store are in the migrations.

/** How to read the store's value of a column. */
export interface Read<Value> {
  /** The store is asked for milliseconds. */
  readonly isTime?: boolean;
  readonly of: (wire: unknown) => Value;
}

export interface Column<Source> {
  readonly from: (source: Source) => unknown;
  /** Absent for a column that only the store reads. */
  readonly read?: Read<unknown>;
}

/** A row as the store sends it. */
export type WireRow = Readonly<Record<string, unknown>>;

// The casts are safe: we wrote these values, and their types are in the migrations.
export const text: Read<string> = { of: (wire) => wire as string };
export const textOrNull: Read<string | null> = { of: (wire) => wire as string | null };
export const numberOrNull: Read<number | null> = { of: (wire) => wire as number | null };
export const numberLists: Read<readonly (readonly number[])[]> = { of: (wire) => wire as number[][] };
/** 64-bit integers come as strings. */
export const time: Read<number> = { isTime: true, of: Number };
export const timeOrNull: Read<number | null> = { isTime: true, of: (wire) => (wire === null ? null : Number(wire)) };

export interface Reader<Row> {
  /** The select list. */
  readonly select: string;
  readonly read: (wire: WireRow) => Row;
}

type Readable = Readonly<Record<string, { readonly from?: unknown; readonly read?: Read<unknown> }>>;

/** By column that can be read; a time is a number of milliseconds. */
type ReadRow<Columns extends Readable> = {
  readonly [Name in keyof Columns as Columns[Name] extends { readonly read: Read<unknown> }
    ? Name
    : never]: Columns[Name] extends { readonly read: Read<infer Value> } ? Value : never;
};

export function createReader<Columns extends Readable>(columns: Columns): Reader<ReadRow<Columns>> {
  const reads = Object.entries(columns).flatMap(([name, { read }]) => {
    // A time's alias must not be its column's name: conditions would then mean the number.
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

/** What an insert needs to know of a table. */
export interface Table {
  readonly name: string;
  /** In the order of a row's values. */
  readonly columns: readonly [string, ...string[]];
}

/** Values that JSON can hold: of a DateTime64(3) the milliseconds, an integer is what it counts. */
export type Row = readonly unknown[];

export interface RowTable<Source> extends Table {
  row(source: Source): Row;
}

export function createTable<Source>(name: string, columns: Readonly<Record<string, Column<Source>>>): RowTable<Source> {
  const [first, ...rest] = Object.keys(columns);
  if (first === undefined) throw new Error(`${name} has no columns`);
  const sources = Object.values(columns).map(({ from }) => from);
  return { name, columns: [first, ...rest], row: (source) => sources.map((from) => from(source)) };
}

/** Returns the columns unchanged, but gives their functions the type of the source. */
export const columnsFrom =
  <Source>() =>
  <Columns extends Readonly<Record<string, Column<Source>>>>(columns: Columns): Columns =>
    columns;

/** Where and when the log recorded a message. */
export interface Recorded {
  readonly partition: number;
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
}
