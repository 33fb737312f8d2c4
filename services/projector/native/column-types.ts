// The types of columns, each with its way of writing values into a block of ClickHouse's Native format
// (https://clickhouse.com/docs/reference/formats/Native). The values are those that JSON.stringify would get, and the
// server stores the same: null and numbers that are not finite are NULL, or the default of a type without NULL.
import type { Bytes } from "./bytes.ts";
import { writeDictionary } from "./dictionary.ts";
import { plainTypes } from "./plain-types.ts";

export interface ColumnType {
  /** The type that the block names. The server converts the values if that of its table is another one. */
  readonly name: string;
  /** Throws TypeError for a value that is none of the type. */
  write(bytes: Bytes, values: readonly unknown[]): void;
  /** True when the values of several lists may be written list by list. */
  readonly isPlain: boolean;
}

/**
 * Returns the type with this name in system.columns.
 * @returns undefined for a type that no table of the history has.
 */
export function columnType(name: string): ColumnType | undefined {
  const [outer = name, inner] = partsOf(name);
  const plain = plainTypes[outer];
  if (plain !== undefined) return { name, write: plain, isPlain: true };
  if (name === "LowCardinality(String)") return { name, write: writeDictionary, isPlain: false };
  // The server makes a dictionary of the values, or aggregates them; the block has them as they are.
  if (outer === "LowCardinality" || outer === "SimpleAggregateFunction") return columnType(inner.at(-1) ?? "");
  const types = inner.map(columnType).filter((type) => type !== undefined);
  return types.length === 0 || types.length < inner.length ? undefined : composed[outer]?.(types);
}

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
  Array: ([type]) => type && arrayOf(type),
  Map: mapOf,
  Tuple: tupleOf,
};

/** A byte for each value says whether it is NULL. The values follow, with a default in the place of each NULL. */
const nullable = (type: ColumnType): ColumnType => ({
  name: `Nullable(${type.name})`,
  isPlain: false,
  write(bytes, values) {
    const at = bytes.claim(values.length);
    for (let i = 0; i < values.length; i++) bytes.view.setUint8(at + i, isNull(values[i]) ? 1 : 0);
    type.write(bytes, values);
  },
});

const isNull = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value));

/** The end of each list comes first, then the values of all lists. */
const arrayOf = (type: ColumnType): ColumnType => ({
  name: `Array(${type.name})`,
  isPlain: false,
  write(bytes, values) {
    const lists = values.map(listOf);
    let at = bytes.claim(8 * lists.length);
    let end = 0;
    for (const { length } of lists) {
      end += length;
      bytes.view.setUint32(at, end, true);
      bytes.view.setUint32(at + 4, 0, true);
      at += 8;
    }
    if (!type.isPlain) return type.write(bytes, lists.flat());
    for (const list of lists) type.write(bytes, list);
  },
});

const NO_VALUES: readonly unknown[] = [];

function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return NO_VALUES;
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
    isPlain: false,
    write(bytes, values) {
      const tuples = values.map(membersOf);
      for (const [i, type] of types.entries())
        type.write(
          bytes,
          tuples.map((members) => members[i]),
        );
    },
  };
}

/** A map lies in a block as the list of its entries does. */
function mapOf(types: readonly ColumnType[]): ColumnType {
  const entries = arrayOf(tupleOf(types));
  return {
    name: `Map(${types.map(({ name }) => name).join(", ")})`,
    isPlain: false,
    write: (bytes, values) =>
      entries.write(
        bytes,
        values.map((value) => Object.entries(value ?? {})),
      ),
  };
}
