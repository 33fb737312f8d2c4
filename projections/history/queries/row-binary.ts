// Reads rows in ClickHouse's format RowBinary.

export interface RowBinaryReader {
  /** True after the last row. */
  isOver(): boolean;
  /** Reads a String, the next value of the row. */
  text(): string;
  /** Reads an Array of numbers of this size, the next value of the row, as a view of the bytes. */
  list(bytesPerNumber: number): DataView;
}

/** Throws RangeError when the bytes end within a row. */
export function readRowBinary(bytes: Buffer): RowBinaryReader {
  let at = 0;

  function length(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  /** Returns the first byte of the next so many. */
  function skip(size: number): number {
    const from = at;
    at += size;
    if (at > bytes.length) throw new RangeError("rows in RowBinary are cut off");
    return from;
  }

  return {
    isOver: () => at >= bytes.length,
    text() {
      const from = skip(length());
      return bytes.toString("utf8", from, at);
    },
    list(bytesPerNumber) {
      const size = length() * bytesPerNumber;
      return new DataView(bytes.buffer, bytes.byteOffset + skip(size), size);
    },
  };
}
