// The values of rows by column. Numbers are kept as doubles, and not with the records from which they come: each object
// that lives until its flush is stored is copied twice by the collector of garbage.
import type { Column, Row, Table, TableRows } from "./table.ts";

/** NaN stands for null, as it does in JSON. */
export type Values = ArrayLike<unknown> | Lists;

/** Lists one behind the other. */
export interface Lists {
  readonly length: number;
  /** The index in `items` behind the last item of each list. */
  readonly ends: ArrayLike<number>;
  readonly items: Values;
}

export interface Columns<Source> {
  add(source: Source): void;
  size(): number;
  /** The rows so far. */
  rows(): TableRows;
}

/** Returns a function that makes the empty columns of a flush. */
export function columnsOf<Source>(table: Table, cells: readonly Column<Source>[]): () => Columns<Source> {
  const makers = cells.map(({ from, read }) => ({
    from,
    make: read?.isNumberLists === true ? numberListsMaker() : mixedMaker(),
  }));
  return () => {
    const columns = makers.map(({ from, make }) => ({ from, values: make() }));
    let size = 0;
    return {
      add(source) {
        size += 1;
        for (const { from, values } of columns) values.add(from(source));
      },
      size: () => size,
      rows: () => ({
        table,
        size,
        column: (index) => columns[index]?.values.all() ?? [],
        release() {
          for (const { values } of columns) values.release();
        },
        get rows() {
          return rowsOf(columns.map(({ values }) => arrayOf(values.all())));
        },
      }),
    };
  };
}

/** Returns the values one by one. */
export function arrayOf(values: Values): ArrayLike<unknown> {
  if (!("ends" in values)) return values;
  const items = Array.from(arrayOf(values.items));
  return Array.from(values.ends, (end, i) => items.slice(values.ends[i - 1] ?? 0, end));
}

const rowsOf = (columns: readonly ArrayLike<unknown>[]): Row[] =>
  Array.from({ length: columns[0]?.length ?? 0 }, (_, i) =>
    columns.map((values) => (Number.isNaN(values[i]) ? null : values[i])),
  );

interface Kept {
  add(value: unknown): void;
  all(): Values;
  release(): void;
}

function mixedMaker(): () => Kept {
  const makeDoubles = doublesMaker();
  return () => {
    const numbers = makeDoubles();
    /** All values, as soon as one is neither a number nor null. */
    let others: unknown[] | undefined;
    return {
      add(value) {
        if (others !== undefined) others.push(value);
        else if (typeof value === "number") numbers.push(value);
        else if (value === null || value === undefined) numbers.push(Number.NaN);
        else others = [...numbers.all(), value];
      },
      all: () => others ?? numbers.all(),
      release: () => numbers.release(),
    };
  };
}

function numberListsMaker(): () => Kept {
  const [outer, inner, all] = [doublesMaker(), doublesMaker(), doublesMaker()];
  return () => {
    const [outerEnds, innerEnds, numbers] = [outer(), inner(), all()];
    return {
      add(value) {
        const lists = (value ?? NO_LISTS) as readonly (readonly (number | null)[] | null)[];
        for (let i = 0; i < lists.length; i++) {
          numbers.pushAll(lists[i] ?? NO_LISTS);
          innerEnds.push(numbers.length());
        }
        outerEnds.push(innerEnds.length());
      },
      all: () => listsOf(outerEnds.all(), listsOf(innerEnds.all(), numbers.all())),
      release() {
        for (const each of [outerEnds, innerEnds, numbers]) each.release();
      },
    };
  };
}

const NO_LISTS: readonly never[] = [];

const listsOf = (ends: ArrayLike<number>, items: Values): Lists => ({ length: ends.length, ends, items });

const FEW_NUMBERS = 64;
const SOME_MORE = 1.1;
/** While one flush is stored, the next one is gathered. */
const FLUSHES = 2;
/** An array that was filled to a smaller part is not used again. */
const MIN_USED = 0.25;

function doublesMaker() {
  /** The flush before had about as many. */
  let expected = FEW_NUMBERS;
  /** Fresh memory costs the system more than all that is written into it, and makes V8 collect garbage. */
  const spare: Float64Array<ArrayBuffer>[] = [];
  return () => {
    let numbers = new Float64Array(0);
    let length = 0;
    function makeRoom(count: number): void {
      if (length === 0) numbers = spare.pop() ?? numbers;
      if (count <= numbers.length - length) return;
      const larger = new Float64Array(Math.max(Math.ceil(SOME_MORE * expected), 2 * length, length + count));
      larger.set(numbers);
      numbers = larger;
    }
    return {
      push(value: number): void {
        if (length === numbers.length) makeRoom(1);
        numbers[length] = value;
        length += 1;
      },
      pushAll(values: ArrayLike<number | null>): void {
        if (length + values.length > numbers.length) makeRoom(values.length);
        for (let i = 0; i < values.length; i++) numbers[length + i] = values[i] ?? Number.NaN;
        length += values.length;
      },
      length: () => length,
      all(): Float64Array {
        expected = Math.max(FEW_NUMBERS, length);
        return numbers.subarray(0, length);
      },
      release(): void {
        if (spare.length < FLUSHES && length > MIN_USED * numbers.length) spare.push(numbers);
        numbers = new Float64Array(0);
        length = 0;
      },
    };
  };
}
