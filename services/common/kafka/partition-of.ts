// Finds the partition of a key.
import { LRUCache } from "lru-cache";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";

const CACHED_KEYS = 10_000;

/** `counts`: how many partitions each topic has. */
export function createPartitionOf(counts: ReadonlyMap<string, number>): (topic: string, key: string) => number {
  const partitions = new LRUCache<string, number>({ max: CACHED_KEYS });
  return (topic, key) => {
    const count = counts.get(topic);
    if (count === undefined) throw new Error(`publisher does not know topic ${topic}`);
    // A camera's key comes again and again; hashing it each time shows in the profile.
    const cacheKey = `${count} ${key}`;
    let partition = partitions.get(cacheKey);
    if (partition === undefined) {
      partition = partitionOfKey(key, count);
      partitions.set(cacheKey, partition);
    }
    return partition;
  };
}
