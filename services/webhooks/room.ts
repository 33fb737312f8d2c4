// How many bytes the queues of each partition may hold, so that all together keep within their bound.
import type { Redis } from "ioredis";
import { deliveryKeys } from "../../schemas/redis-keys.ts";

export interface Room {
  /** Bytes. Rejects when Redis does not answer. */
  of(partition: number): Promise<number>;
}

export interface RoomOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly partitions: number;
  /** Of all queues. */
  readonly maxBytes: number;
}

/** So old may be what is known of the other partitions: the bound may be exceeded by what arrives meanwhile. */
const FRESH_MS = 1_000;

export function createRoom({ redis, namespace, partitions, maxBytes }: RoomOptions): Room {
  const positions = Array.from({ length: partitions }, (_, partition) => deliveryKeys(namespace, partition).position);
  let askedAt = Number.NEGATIVE_INFINITY;
  let held: Promise<readonly number[]> = Promise.resolve([]);

  // One command each: in a cluster the partitions are at different servers.
  const ask = () => Promise.all(positions.map(async (key) => Number((await redis.hget(key, "bytes")) ?? 0)));

  return {
    async of(partition) {
      if (performance.now() - askedAt > FRESH_MS) {
        askedAt = performance.now();
        held = ask();
        held.catch(() => {
          askedAt = Number.NEGATIVE_INFINITY;
        });
      }
      const ofOthers = (await held).reduce((sum, bytes, i) => sum + (i === partition ? 0 : bytes), 0);
      // Each partition has its share in any case: those that hold more make room for it.
      return Math.max(Math.floor(maxBytes / partitions), maxBytes - ofOthers);
    },
  };
}
