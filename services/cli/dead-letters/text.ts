// Turns the contents of messages into text that a terminal shows but does not interpret.

const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Returns a single line. Control and format characters (including those that change the direction of writing) become
 * `\u001b`.
 */
export const printable = (text: string): string => text.replace(UNSHOWN, inUnits);

/** Escapes each UTF-16 unit of the character by itself, in a form that is also valid in JSON. */
function inUnits(character: string): string {
  let escaped = "";
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}

/** Returns valid JSON; with an indent, a list of numbers is on one line. */
export function printableJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, showable, indent);
  // Strings in JSON have no line feed: text after a line feed is layout.
  const compact = text.replace(
    /\[\n\s*([^[\]{}"]*?)\n\s*\]/g,
    (_, items: string) => `[${items.replace(/\n\s*/g, " ")}]`,
  );
  return compact.split("\n").map(printable).join("\n");
}

export const MAX_DUMP_BYTES = 512;

/**
 * JSON has neither bytes nor large integers, and would write NaN as null. Buffers are objects already when they get
 * here.
 */
function showable(this: unknown, key: string, json: unknown): unknown {
  const value: unknown = typeof this === "object" && this !== null ? Reflect.get(this, key) : json;
  if (value instanceof Uint8Array) return bytesText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return json;
}

/** Returns text if the bytes are text, otherwise hex, shortened. */
export function bytesText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_DUMP_BYTES));
  const more = bytes.length > MAX_DUMP_BYTES ? `... (${bytes.length} bytes)` : "";
  const text = buffer.toString("utf8");
  return Buffer.from(text, "utf8").equals(buffer) ? `${text}${more}` : `0x${buffer.toString("hex")}${more}`;
}

const PER_LINE = 16;

/** Dumps at most the first 512 bytes: `00000010  68 65 6c 6c 6f  |hello|`. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < Math.min(bytes.length, MAX_DUMP_BYTES); at += PER_LINE) {
    const part = [...bytes.subarray(at, Math.min(at + PER_LINE, MAX_DUMP_BYTES))];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const ascii = part.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${hex.padEnd(PER_LINE * 3 - 1)}  |${ascii}|`);
  }
  return lines.join("\n");
}

/** Returns ISO 8601, or the number when the time of a forged letter is outside the calendar. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
}
