// Parses the columns of one line. The first fault found is kept, so a parser reads all columns and checks once.
import type { ParsedLine } from "./format.ts";

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A year of frames at 30 per second. A larger number is a mistake, and its time could be outside the calendar. */
const MAX_FRAME = 1_000_000_000;

export interface FieldReader {
  /** Returns the finite decimal number in column `index` (from 0); NaN when the column is at fault. */
  number(index: number): number;
  /** Returns the whole number in the column, `min` or more. */
  whole(index: number, min: number, max?: number): number;
  frame(index: number, baseFrame: number): number;
  flag(index: number): boolean;
  fail(index: number, problem: string): void;
  readonly fault: Extract<ParsedLine, { ok: false }> | undefined;
}

export function readFields(values: readonly string[], names: readonly string[]): FieldReader {
  let fault: FieldReader["fault"];
  const fail = (index: number, problem: string) => {
    fault ??= { ok: false, column: index + 1, reason: `${names[index] ?? "column"} ${problem}` };
  };
  const number = (index: number) => {
    const text = (values[index] ?? "").trim();
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(value)) return value;
    fail(index, text === "" ? "is empty" : `is not a number: "${text.slice(0, 40)}"`);
    return Number.NaN;
  };
  const whole = (index: number, min: number, max = Number.MAX_SAFE_INTEGER) => {
    const value = number(index);
    if (Number.isNaN(value)) return value;
    if (!Number.isInteger(value) || value < min || value > max)
      fail(index, `is not a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? "" : ` to ${max}`}: ${value}`);
    return value;
  };
  return {
    number,
    whole,
    frame: (index, baseFrame) => whole(index, baseFrame, MAX_FRAME),
    flag: (index) => whole(index, 0, 1) === 1,
    fail,
    get fault() {
      return fault;
    },
  };
}
