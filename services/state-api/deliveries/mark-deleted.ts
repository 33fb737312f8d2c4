// Tells the queues that a subscription is deleted. The log says so as well, but a process that delivers reads it later, or
// not at all while it does not reach the log.
import type { Redis } from "ioredis";
import { type Generation, queueIdOf } from "../../../projections/deliveries/queue-id.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import type { Log } from "../../common/log.ts";
import { growing, untilSo } from "../../common/loop.ts";

export interface MarkDeletedOptions {
  readonly redis: Redis;
  readonly namespace: string;
  readonly partitionOf: (subscriptionId: string) => number;
  readonly log: Log;
}

/**
 * Resolves when nothing of the subscription begins any more. The log must have its deletion: a repeated request could not
 * do this, because it finds no subscription. When Redis is away for long it resolves nevertheless, and whoever delivers
 * stops once it has read the deletion.
 */
export type MarkDeleted = (of: Generation) => Promise<void>;

/** So long signals are kept. */
const SECONDS = 86_400;
const WITHIN_MS = 10_000;
const pauseMs = growing(50, 1_000);

export const createMarkDeleted =
  ({ redis, namespace, partitionOf, log }: MarkDeletedOptions): MarkDeleted =>
  async (of) => {
    const { deleted } = deliveryKeys(namespace, partitionOf(of.subscriptionId)).of(queueIdOf(of));
    const mark = async () => {
      try {
        await redis.set(deleted, "1", "EX", SECONDS);
        return true;
      } catch (error) {
        log.warn({ err: messageOf(error), subscription: of.subscriptionId }, "cannot tell the queues of a deletion");
        return false;
      }
    };
    await untilSo(mark, { pauseMs, withinMs: WITHIN_MS });
  };
