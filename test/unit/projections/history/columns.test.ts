import { expect, test } from "vitest";
import { createTable, numberListsColumn, numberOrNullColumn } from "../../../../projections/history/table.ts";

interface Source {
  readonly number: number | null;
  readonly lists: readonly (readonly number[])[];
}

const table = createTable<Source>("things_v1", {
  number: { from: ({ number }) => number, read: numberOrNullColumn },
  lists: { from: ({ lists }) => lists, read: numberListsColumn },
});

const flushOf = (count: number, first: number) =>
  table.rowsOf(
    Array.from({ length: count }, (_, i) => ({ number: i % 3 === 0 ? null : first + i, lists: [[first, i], [], [i]] })),
  );

const rowsOf = (count: number, first: number) =>
  Array.from({ length: count }, (_, i) => [i % 3 === 0 ? null : first + i, [[first, i], [], [i]]]);

test("rows that use the memory of stored ones have their own values, whether they are fewer or more", () => {
  for (const [first, count] of [100, 30, 500, 1, 0, 200].entries()) {
    const rows = flushOf(count, first);
    expect(rows.rows).toEqual(rowsOf(count, first));
    rows.release();
  }
});

test("rows that are not stored yet keep their values while those of the next flush are gathered", () => {
  flushOf(100, 1).release();
  const storing = flushOf(100, 2);
  const next = flushOf(100, 3);

  expect(storing.rows).toEqual(rowsOf(100, 2));
  expect(next.rows).toEqual(rowsOf(100, 3));
});
