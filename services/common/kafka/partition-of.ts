// Finds the partition of a key.
import { LRUCache } from "lru-cache";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";

const CACHED_KEYS = 10_000;

/** `counts` has the number of partitions of each topic. */
export function createPartitionOf(counts: ReadonlyMap<string, number>): (topic: string, key: string) => number {
  const partitions = new LRUCache<string, number>({ max: CACHED_KEYS });
  return (topic, key) => {
    const count = counts.get(topic);
    if (count === undefined) throw new Error(`publisher does not know topic ${topic}`);
    // The key of a camera recurs all the time, and hashing it each time takes a noticeable share of the processor's
    // time.
    const cacheKey = `${count} ${key}`;
    let partition = partitions.get(cacheKey);
    if (partition === undefined) {
      partition = partitionOfKey(key, count);
      partitions.set(cacheKey, partition);
    }
    return partition;
  };
}
