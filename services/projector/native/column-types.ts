// The types of columns, each with its way of writing values into a block of ClickHouse's Native format
// (https://clickhouse.com/docs/reference/formats/Native). The values are those that JSON.stringify would get, and the
// server stores the same: null and numbers that are not finite are NULL, or the default of a type without NULL.
import { arrayOf, type Lists, type Values } from "../../../projections/history/columns.ts";
import type { Bytes } from "./bytes.ts";
import { writeDictionary } from "./dictionary.ts";
import { isNull, plainTypes } from "./plain-types.ts";

export interface ColumnType {
  /** The type that the block names. The server converts the values if that of its table is another one. */
  readonly name: string;
  /** Throws TypeError for a value that is none of the type. */
  write(bytes: Bytes, values: Values): void;
}

/**
 * Returns the type with this name in system.columns.
 * @returns undefined for a type that no table of the history has.
 */
export function columnType(name: string): ColumnType | undefined {
  const [outer = name, inner] = partsOf(name);
  const plain = plainTypes[outer];
  if (plain !== undefined) return { name, write: each(plain) };
  if (name === "LowCardinality(String)") return { name, write: each(writeDictionary) };
  // The server makes a dictionary of the values, or aggregates them; the block has them as they are.
  if (outer === "LowCardinality" || outer === "SimpleAggregateFunction") return columnType(inner.at(-1) ?? "");
  const types = inner.map(innerType).filter((type) => type !== undefined);
  return types.length === 0 || types.length < inner.length ? undefined : composed[outer]?.(types);
}

/** A dictionary within another type would begin before the ends of lists, so the server makes it of plain texts. */
const innerType = (name: string): ColumnType | undefined => columnType(name.replace(/^LowCardinality\((.+)\)$/, "$1"));

const each =
  (write: (bytes: Bytes, values: ArrayLike<unknown>) => void): ColumnType["write"] =>
  (bytes, values) =>
    write(bytes, arrayOf(values));

/** Splits Map(String, Tuple(UInt64, UInt32)) into Map and its two types. */
function partsOf(name: string): [outer: string | undefined, inner: readonly string[]] {
  const [, outer, list] = /^(\w+)\((.+)\)$/.exec(name) ?? [];
  const inner: string[] = [];
  if (list === undefined) return [outer, inner];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    if (list[at] === "(") depth += 1;
    if (list[at] === ")") depth -= 1;
    if (depth > 0 || (list[at] ?? ",") !== ",") continue;
    inner.push(list.slice(start, at).trim());
    start = at + 1;
  }
  return [outer, inner];
}

const composed: Readonly<Record<string, (types: readonly ColumnType[]) => ColumnType | undefined>> = {
  Nullable: ([type]) => type && nullable(type),
  Array: ([type]) => type && listOfType(type),
  Map: mapOf,
  Tuple: tupleOf,
};

/** A byte for each value says whether it is NULL. The values follow, with a default in the place of each NULL. */
const nullable = (type: ColumnType): ColumnType => ({
  name: `Nullable(${type.name})`,
  write(bytes, values) {
    const each = arrayOf(values);
    const at = bytes.claim(each.length);
    for (let i = 0; i < each.length; i++) bytes.view.setUint8(at + i, isNull(each[i]) ? 1 : 0);
    type.write(bytes, values);
  },
});

/** The end of each list comes first, then the items of all lists. */
const listOfType = (type: ColumnType): ColumnType => ({
  name: `Array(${type.name})`,
  write(bytes, values) {
    const { ends, items } = "ends" in values ? values : joined(mapped(values, listOf));
    let at = bytes.claim(8 * ends.length);
    const { view } = bytes;
    for (let i = 0; i < ends.length; i++) {
      view.setUint32(at, ends[i] ?? 0, true);
      view.setUint32(at + 4, 0, true);
      at += 8;
    }
    type.write(bytes, items);
  },
});

function joined(lists: readonly (readonly unknown[])[]): Pick<Lists, "ends" | "items"> {
  let end = 0;
  const ends = lists.map(({ length }) => {
    end += length;
    return end;
  });
  return { ends, items: lists.flat() };
}

/** The values may be a typed array, whose own `map` would give numbers. */
function mapped<T>(values: Values, toOther: (value: unknown) => T): T[] {
  const each = arrayOf(values);
  const others: T[] = [];
  for (let i = 0; i < each.length; i++) others.push(toOther(each[i]));
  return others;
}

const NO_VALUES: readonly unknown[] = [];

function listOf(value: unknown): readonly unknown[] {
  if (isNull(value)) return NO_VALUES;
  if (Array.isArray(value)) return value;
  throw new TypeError(`not a list, but ${typeof value}`);
}

/** All first members come first, then all second ones. */
function tupleOf(types: readonly ColumnType[]): ColumnType {
  const membersOf = (value: unknown): readonly unknown[] => {
    const members = listOf(value);
    if (members.length === types.length || members === NO_VALUES) return members;
    throw new TypeError(`${members.length} members of a tuple, not ${types.length}`);
  };
  return {
    name: `Tuple(${types.map(({ name }) => name).join(", ")})`,
    write(bytes, values) {
      const tuples = mapped(values, membersOf);
      for (const [i, { write }] of types.entries())
        write(
          bytes,
          mapped(tuples, (members) => listOf(members)[i]),
        );
    },
  };
}

/** A map lies in a block as the list of its entries does. */
function mapOf(types: readonly ColumnType[]): ColumnType {
  const entries = listOfType(tupleOf(types));
  return {
    name: `Map(${types.map(({ name }) => name).join(", ")})`,
    write: (bytes, values) => entries.write(bytes, mapped(values, entriesOf)),
  };
}

const entriesOf = (value: unknown): readonly unknown[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : listOf(value);
