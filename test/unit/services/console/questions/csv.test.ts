import { expect, test } from "vitest";
import { csvHead, csvRows } from "../../../../../services/console/questions/csv.ts";
import type { CellValue, Column } from "../../../../../services/console/questions/question.ts";

const columns: readonly Column[] = [
  { name: "Zone", kind: "text" },
  { name: "Start", kind: "time" },
  { name: "Length", kind: "length" },
  { name: "Count", kind: "number" },
];
const row = (...cells: CellValue[]) => ({ id: "1", links: [], cells });
const text = (value: string) => csvRows([{ name: "Zone", kind: "text" }], [row(value)]);

test("a line has a value for each column, times in UTC and lengths in seconds", () => {
  expect(csvHead(columns)).toBe("\uFEFFZone,Start,Length (s),Count\r\n");
  expect(csvRows(columns, [row("Door", "2026-11-24T14:03:07.200Z", 2_500, 3), row("Door", null, null, 0)])).toBe(
    "Door,2026-11-24T14:03:07.200Z,2.5,3\r\nDoor,,,0\r\n",
  );
});

test.each([
  ["a,b", '"a,b"\r\n'],
  ['the "gate"', '"the ""gate"""\r\n'],
  ["two\nlines", '"two\nlines"\r\n'],
  ["two\r\nlines", '"two\r\nlines"\r\n'],
  ["a;b", '"a;b"\r\n'],
  [";=1+1", '";=1+1"\r\n'],
  ["a\tb", '"a\tb"\r\n'],
  ["Tür", "Tür\r\n"],
  ["plain text", "plain text\r\n"],
])("%j is quoted as RFC 4180 has it", (value, line) => {
  expect(text(value)).toBe(line);
});

test.each([
  "=1+1",
  "+1",
  "-1",
  "@SUM(A1)",
  "\tx",
  "\nx",
  " =1+1",
  "\u00a0+1",
  "＝1+1",
  "＋1",
  "－1",
  "＠SUM(A1)",
  '=HYPERLINK("http://example.com")',
])("a spreadsheet does not run the text %j", (value) => {
  expect(text(value).replace(/^"/, "")).toMatch(/^'/);
});

test("a negative number is a number, not a formula", () => {
  expect(csvRows([{ name: "Longitude", kind: "number" }], [row(-4.3)])).toBe("-4.3\r\n");
});
