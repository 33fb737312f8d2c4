// The hash slot of a key. Each master of a Cluster has some of the 16 384 slots; keys with the same text in braces are
// in the same one.

const SLOTS = 16_384;

export function hashSlotOf(key: string): number {
  const open = key.indexOf("{");
  const close = key.indexOf("}", open + 1);
  const hashed = open >= 0 && close > open + 1 ? key.slice(open + 1, close) : key;
  return crc16(Buffer.from(hashed)) % SLOTS;
}

/** CRC-16/XMODEM */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}
