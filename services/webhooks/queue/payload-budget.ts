// Divides the maximum bytes of all queues between the partitions.
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";

export interface PayloadBudget {
  /** Bytes that the queues of the partition may hold. Rejects when Redis does not answer. */
  of(partition: number): Promise<number>;
}

export interface PayloadBudgetOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly partitions: number;
  /** Bytes that all queues may hold together. */
  readonly maxBytes: number;
}

/**
 * Milliseconds for which the sizes of the other partitions are cached. Signals that arrive meanwhile may exceed the
 * maximum.
 */
const FRESH_MS = 1_000;

export function createPayloadBudget({ redis, namespace, partitions, maxBytes }: PayloadBudgetOptions): PayloadBudget {
  const positions = Array.from({ length: partitions }, (_, partition) => deliveryKeys(namespace, partition).position);
  let askedAt = Number.NEGATIVE_INFINITY;
  let held: Promise<readonly number[]> = Promise.resolve([]);

  // One command for each partition, because in a cluster the partitions are on different servers.
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
      // Each partition may always hold an equal share. Partitions that hold more drop signals when they are checked.
      return Math.max(Math.floor(maxBytes / partitions), maxBytes - ofOthers);
    },
  };
}
