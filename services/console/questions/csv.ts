// Rows as comma-separated values (RFC 4180), which spreadsheets open as they are.
import type { AnswerRow, CellValue, Column } from "./question.ts";

/**
 * Spreadsheets run a text that begins so as a formula, also after white space, and some also in full width; an
 * apostrophe before it makes it a text again.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** Spreadsheets split lines at semicolons where a comma separates decimals, and some split them at tabs. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** Without this mark, Excel reads the file in the encoding of the country. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Begins the file. */
export const csvHead = (columns: readonly Column[]): string =>
  BYTE_ORDER_MARK + csvLine(columns.map(({ name, kind }) => headOf(name, kind)));

/** Times as ISO 8601 in UTC, and lengths in seconds: a program reads them whatever its zone and language. */
export const csvRows = (columns: readonly Column[], rows: readonly AnswerRow[]): string =>
  rows.map(({ cells }) => csvLine(columns.map(({ kind }, i) => written(cells[i] ?? null, kind)))).join("");

const headOf = (name: string, kind: Column["kind"]): string => (kind === "length" ? `${name} (s)` : name);

function written(value: CellValue, kind: Column["kind"]): CellValue {
  return kind === "length" && typeof value === "number" ? value / 1_000 : value;
}

const csvLine = (values: readonly CellValue[]): string => `${values.map(csvValue).join(",")}\r\n`;

function csvValue(value: CellValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
