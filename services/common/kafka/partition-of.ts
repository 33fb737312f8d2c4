// Finds the partition of a key.
import { Partitioners } from "kafkajs";
import { LRUCache } from "lru-cache";

const CACHED_KEYS = 10_000;

/** As kafkajs does by default. `counts`: how many partitions each topic has. */
export function createPartitionOf(counts: ReadonlyMap<string, number>): (topic: string, key: string) => number {
  const partitionOfKey = Partitioners.DefaultPartitioner();
  const partitions = new LRUCache<string, number>({ max: CACHED_KEYS });
  return (topic, key) => {
    const count = counts.get(topic);
    if (count === undefined) throw new Error(`publisher does not know topic ${topic}`);
    // A camera's key comes again and again; hashing it each time shows in the profile.
    const cacheKey = `${count} ${key}`;
    let partition = partitions.get(cacheKey);
    if (partition === undefined) {
      partition = partitionOfKey({ topic, partitionMetadata: metadataOf(count), message: { key, value: null } });
      partitions.set(cacheKey, partition);
    }
    return partition;
  };
}

const metadataCache = new Map<number, never[]>();

/** The default partitioner looks only at the number of partitions when there is a key. */
function metadataOf(count: number): never[] {
  let metadata = metadataCache.get(count);
  if (metadata === undefined) {
    metadata = Array.from({ length: count }, (_, partitionId) => ({ partitionId })) as never[];
    metadataCache.set(count, metadata);
  }
  return metadata;
}
