// A column of LowCardinality(String): the distinct texts, then for each value the number of its text.
import type { Bytes } from "./bytes.ts";
import { cellText } from "./plain-types.ts";

const VERSION = 1;
/** The block brings its own texts, and they replace those of the block before. */
const OWN_TEXTS = 0x600;

/** The widths of the numbers, each with its code in the block. */
const WIDTHS = [
  { code: 0, width: 1, texts: 2 ** 8 },
  { code: 1, width: 2, texts: 2 ** 16 },
  { code: 2, width: 4, texts: 2 ** 32 },
] as const;

export function writeDictionary(bytes: Bytes, values: ArrayLike<unknown>): void {
  const { texts, numbers } = numbered(values);
  const { code, width } = WIDTHS.find((each) => texts.length <= each.texts) ?? WIDTHS[2];
  writeUInt64(bytes, VERSION);
  if (values.length === 0) return;
  writeUInt64(bytes, OWN_TEXTS + code);
  writeUInt64(bytes, texts.length);
  for (const text of texts) bytes.text(text);
  writeUInt64(bytes, numbers.length);
  let at = bytes.claim(width * numbers.length);
  const { view } = bytes;
  for (const number of numbers) {
    if (width === 1) view.setUint8(at, number);
    else if (width === 2) view.setUint16(at, number, true);
    else view.setUint32(at, number, true);
    at += width;
  }
}

function numbered(values: ArrayLike<unknown>) {
  const byText = new Map<string, number>();
  const numbers = new Uint32Array(values.length);
  let last: unknown;
  let number = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    // The detections of a message have the same one.
    if (i === 0 || value !== last) {
      const text = cellText(value);
      const known = byText.get(text);
      number = known ?? byText.size;
      if (known === undefined) byText.set(text, number);
      last = value;
    }
    numbers[i] = number;
  }
  return { texts: [...byText.keys()], numbers };
}

function writeUInt64(bytes: Bytes, value: number): void {
  const at = bytes.claim(8);
  bytes.view.setUint32(at, value, true);
  bytes.view.setUint32(at + 4, 0, true);
}
