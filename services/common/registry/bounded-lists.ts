// Makes avsc refuse a list that is longer than its message. avsc itself allocates an array for as many items as five
// bytes announce, and loops over all of them, even when the message ends before the first.
import avro from "avsc";

/** The members of avsc's Tap, its position in a buffer, that reading a list needs. */
interface Tap {
  readonly buf: Buffer;
  readonly pos: number;
  isValid(): boolean;
  readLong(): number;
  skipLong(): void;
  readString(): string;
  skipString(): void;
}

interface Items {
  _read(tap: Tap): unknown;
  _skip(tap: Tap): void;
}

interface List {
  readonly itemsType: Items;
  readonly valuesType: Items;
  _read(tap: Tap): unknown;
  _skip(tap: Tap): void;
}

/**
 * Takes effect for the whole process. Must be called before types are created: some keep the functions that they found.
 */
export function useBoundedLists(): void {
  const { ArrayType, MapType }: { ArrayType: { prototype: unknown }; MapType: { prototype: unknown } } = avro.types;
  patch(ArrayType.prototype, readArray, skipArray);
  patch(MapType.prototype, readMap, skipMap);
}

function patch(
  prototype: unknown,
  read: (this: List, tap: Tap) => unknown,
  skip: (this: List, tap: Tap) => void,
): void {
  if (!isList(prototype)) throw new Error("this avsc reads lists otherwise");
  prototype._read = read;
  prototype._skip = skip;
}

const isList = (prototype: unknown): prototype is List =>
  typeof prototype === "object" && prototype !== null && "_read" in prototype && "_skip" in prototype;

function readArray(this: List, tap: Tap): unknown[] {
  const { itemsType } = this;
  let items: unknown[] | undefined;
  let at = 0;
  for (let count = readCount(tap); count > 0; count = readCount(tap)) {
    // An array that is allocated with its final size is faster.
    items ??= new Array(count);
    for (; count > 0; count--) {
      items[at++] = itemsType._read(tap);
      refuseEnd(tap);
    }
  }
  return items ?? [];
}

function skipArray(this: List, tap: Tap): void {
  for (let count = readCount(tap); count > 0; count = readCount(tap)) {
    for (; count > 0; count--) {
      this.itemsType._skip(tap);
      refuseEnd(tap);
    }
  }
}

function readMap(this: List, tap: Tap): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (let count = readCount(tap); count > 0; count = readCount(tap)) {
    for (; count > 0; count--) {
      const key = tap.readString();
      values[key] = this.valuesType._read(tap);
      refuseEnd(tap);
    }
  }
  return values;
}

function skipMap(this: List, tap: Tap): void {
  for (let count = readCount(tap); count > 0; count = readCount(tap)) {
    for (; count > 0; count--) {
      tap.skipString();
      this.valuesType._skip(tap);
      refuseEnd(tap);
    }
  }
}

/**
 * Returns the number of items in the next block. Each item takes at least a byte, so a larger number than the remaining
 * bytes is refused.
 */
function readCount(tap: Tap): number {
  const signed = tap.readLong();
  // The byte size of such a block follows; reading its items needs no size.
  if (signed < 0) tap.skipLong();
  const count = Math.abs(signed);
  if (count === 0 || count <= tap.buf.length - tap.pos) return count;
  throw new Error("a list is longer than its message");
}

function refuseEnd(tap: Tap): void {
  if (!tap.isValid()) throw new Error("truncated buffer");
}
