// Tells the queues that a subscription is deleted. The log says so as well, but a process that delivers reads it later, or
// not at all while it does not reach the log.
import type { Redis } from "ioredis";
import { type Generation, queueIdOf } from "../../../projections/deliveries/queue-id.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";

export interface MarkDeletedOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly partitionOf: (subscriptionId: string) => number;
}

/** Resolves when nothing of the subscription begins any more. The log must have its deletion. */
export type MarkDeleted = (of: Generation) => Promise<void>;

/** So long signals are kept. */
const SECONDS = 86_400;

export const createMarkDeleted =
  ({ redis, namespace, partitionOf }: MarkDeletedOptions): MarkDeleted =>
  async (of) => {
    const { deleted } = deliveryKeys(namespace, partitionOf(of.subscriptionId)).of(queueIdOf(of));
    await redis.set(deleted, "1", "EX", SECONDS);
  };
