// The types whose values follow one another in a column.
import type { Bytes } from "./bytes.ts";

type Write = (bytes: Bytes, values: ArrayLike<unknown>) => void;
type SetNumber = (view: DataView, at: number, value: number) => void;

/** Integers out of range wrap around, so that no message stops those behind it. */
export const plainTypes: Readonly<Record<string, Write>> = {
  Bool: numbers(1, flagOf, (view, at, value) => view.setUint8(at, value === 0 ? 0 : 1)),
  DateTime64: numbers(8, wholeOf, setInt64),
  Float32: numbers(4, numberOf, (view, at, value) => view.setFloat32(at, value, true)),
  Float64: writeFloats,
  Int8: numbers(1, wholeOf, (view, at, value) => view.setInt8(at, value)),
  Int16: numbers(2, wholeOf, (view, at, value) => view.setInt16(at, value, true)),
  Int32: numbers(4, wholeOf, (view, at, value) => view.setInt32(at, value, true)),
  Int64: numbers(8, wholeOf, setInt64),
  String: writeTexts,
  UInt8: numbers(1, wholeOf, (view, at, value) => view.setUint8(at, value)),
  UInt16: numbers(2, wholeOf, (view, at, value) => view.setUint16(at, value, true)),
  UInt32: numbers(4, wholeOf, (view, at, value) => view.setUint32(at, value, true)),
  UInt64: numbers(8, wholeOf, setInt64),
};

function numbers(width: number, read: (value: unknown) => number, set: SetNumber): Write {
  return (bytes, values) => {
    const { length } = values;
    let at = bytes.claim(width * length);
    const { view } = bytes;
    for (let i = 0; i < length; i++) {
      set(view, at, read(values[i]));
      at += width;
    }
  };
}

/** The same as `numbers` for coordinates, which are most of all numbers: a loop of its own is inlined. */
function writeFloats(bytes: Bytes, values: ArrayLike<unknown>): void {
  const { length } = values;
  let at = bytes.claim(8 * length);
  const { view } = bytes;
  for (let i = 0; i < length; i++) {
    view.setFloat64(at, numberOf(values[i]), true);
    at += 8;
  }
}

function writeTexts(bytes: Bytes, values: ArrayLike<unknown>): void {
  for (let i = 0; i < values.length; i++) bytes.text(cellText(values[i]));
}

/** JSON has no numbers that are not finite: they are null. */
export const isNull = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value));

export function cellText(value: unknown): string {
  if (typeof value === "string") return value;
  if (isNull(value)) return "";
  throw new TypeError(`not a text, but ${typeof value}`);
}

function numberOf(value: unknown): number {
  // JSON has no -0, and nothing that is not finite.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : 0;
  if (value === null || value === undefined) return 0;
  throw new TypeError(`not a number, but ${typeof value}`);
}

function wholeOf(value: unknown): number {
  const number = numberOf(value);
  if (Number.isInteger(number)) return number;
  throw new TypeError(`not a whole number: ${number}`);
}

function flagOf(value: unknown): number {
  return typeof value === "boolean" ? Number(value) : wholeOf(value);
}

const BITS_32 = 2 ** 32;

function setInt64(view: DataView, at: number, value: number): void {
  if (!Number.isSafeInteger(value)) {
    // The digits that JSON would have.
    view.setBigUint64(at, BigInt.asUintN(64, BigInt(String(value))), true);
    return;
  }
  view.setUint32(at, value, true);
  view.setUint32(at + 4, Math.floor(value / BITS_32), true);
}
