// The partition of a key, as Kafka's Java client finds it: murmur2 of the key's bytes, without the sign, modulo the
// number of partitions. Source: clients/src/main/java/org/apache/kafka/common/utils/Utils.java in
// https://github.com/apache/kafka.
const SEED = 0x9747b28c;
const MIX = 0x5bd1e995;
const SHIFT = 24;
const POSITIVE = 0x7fffffff;

export const partitionOfKey = (key: string, partitions: number): number =>
  (murmur2(Buffer.from(key)) & POSITIVE) % partitions;

function murmur2(bytes: Buffer): number {
  const { length } = bytes;
  let hash = SEED ^ length;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), MIX);
    word ^= word >>> SHIFT;
    hash = Math.imul(hash, MIX) ^ Math.imul(word, MIX);
  }
  if (at < length) {
    for (let i = length - 1; i >= at; i--) hash ^= (bytes[i] ?? 0) << (8 * (i - at));
    hash = Math.imul(hash, MIX);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MIX);
  return hash ^ (hash >>> 15);
}
