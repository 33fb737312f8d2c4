// Limits the size of an answer. V8's longest string has 2^29 characters, and a longer answer cannot be written at all.
// Counting objects is not enough: a caller may request one long text under many aliases.
import { badInput } from "../../../schemas/errors.ts";
import { MIB } from "../../../schemas/units.ts";

/** A byte of text becomes at most 6 characters of JSON (\u0001), so this many bytes always fit into one string. */
export const MOST_ANSWER_BYTES = 80 * MIB;

export const tooLarge = (maxBytes: number) =>
  badInput(`the answer has more than ${maxBytes} bytes: ask for fewer (first), or for fewer fields of each`);

/** Counts bytes of UTF-8 without the escapes of JSON. Stops counting beyond `maxBytes`. */
export function isLargerThan(maxBytes: number, ...values: readonly unknown[]): boolean {
  // A list of remaining values instead of recursion: values of the type JSON may be nested deeply.
  const left: unknown[] = [...values];
  for (let bytes = 0; left.length > 0; ) {
    const value = left.pop();
    if (typeof value === "string") bytes += Buffer.byteLength(value) + 2;
    else if (Array.isArray(value)) {
      bytes += value.length + 1;
      // Each entry takes at least a byte, so beyond the limit no entry needs to be checked.
      if (bytes > maxBytes) return true;
      for (const each of value) left.push(each);
    } else if (typeof value === "object" && value !== null) {
      // This is the cheapest loop: every answer is walked before it is written, however small it is.
      for (const name in value) {
        bytes += name.length + 4;
        left.push(value[name as keyof typeof value]);
      }
    } else bytes += String(value).length;
    if (bytes > maxBytes) return true;
  }
  return false;
}
