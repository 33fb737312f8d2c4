// CRC-32C (Castagnoli, reflected), eight bytes a step: "slicing by 8", Kounavis and Berry 2005.
const POLYNOMIAL = 0x82f63b78;

const tables = createTables();

/** Returns the checksum of the bytes from `from` to the end, an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array, from = 0): number {
  let crc = -1;
  let at = from;
  for (const last = bytes.length - 8; at <= last; at += 8) {
    const low =
      crc ^
      ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24));
    crc =
      (tables[0x700 | (low & 0xff)] ?? 0) ^
      (tables[0x600 | ((low >>> 8) & 0xff)] ?? 0) ^
      (tables[0x500 | ((low >>> 16) & 0xff)] ?? 0) ^
      (tables[0x400 | (low >>> 24)] ?? 0) ^
      (tables[0x300 | (bytes[at + 4] ?? 0)] ?? 0) ^
      (tables[0x200 | (bytes[at + 5] ?? 0)] ?? 0) ^
      (tables[0x100 | (bytes[at + 6] ?? 0)] ?? 0) ^
      (tables[bytes[at + 7] ?? 0] ?? 0);
  }
  for (; at < bytes.length; at++) crc = (tables[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** Table k begins at k * 256: it has the effect of a byte that k bytes follow. */
function createTables(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    made[byte] = crc;
  }
  for (let n = 256; n < made.length; n++) {
    const before = made[n - 256] ?? 0;
    made[n] = (made[before & 0xff] ?? 0) ^ (before >>> 8);
  }
  return made;
}
