// Checks that a message is in the partition of its key. Producers whose client hashes keys in another way, as
// librdkafka does by default, would spread the events of one data source over partitions, and no fold would have all of
// them.
import { LRUCache } from "lru-cache";
import type { EventBounds } from "./bounds.ts";
import type { Typed } from "./events.ts";
import { type Flaw, flaw } from "./flaw.ts";
import { partitionOfKey } from "./partition-of-key.ts";
import { keyOf, type Topic, topics } from "./topics.ts";

interface Place {
  readonly partition: number;
  readonly bounds: EventBounds;
}

export function checkPartition(topic: Topic, message: Typed, { partition, bounds }: Place): Flaw | undefined {
  const { keyedPartitions } = bounds;
  const { writers, partitions }: { readonly writers: readonly string[]; readonly partitions: number } = topics[topic];
  if (keyedPartitions === undefined || partitions === 1 || !writers.includes("producers")) return undefined;
  const key = placeKeyOf(message);
  if (key === undefined) return undefined;
  const expected = expectedOf(key, keyedPartitions);
  if (expected === partition) return undefined;
  return flaw(
    `in partition ${partition}, but murmur2 of its key gives ${expected}: see docs/producers.md`,
    "partition",
  );
}

/**
 * Returns the key that decides the message's partition.
 * @returns undefined for an event that every partition has.
 */
export function placeKeyOf(message: Typed): string | undefined {
  if (message.type === "GeofencesAdvanced") return undefined;
  return message.type === "ZoneCreated" ? message.event.zone.dataSourceId : keyOf(message);
}

const CACHED_KEYS = 10_000;
const known = new LRUCache<string, number>({ max: CACHED_KEYS });

/** The keys of data sources repeat, so their partitions are cached. */
function expectedOf(key: string, partitions: number): number {
  const cached = `${partitions} ${key}`;
  const found = known.get(cached) ?? partitionOfKey(key, partitions);
  known.set(cached, found);
  return found;
}
