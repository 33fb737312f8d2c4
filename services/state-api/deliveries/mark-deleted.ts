// Marks a subscription as deleted in the queues. The log has the deletion as well, but a delivering process reads it
// later, or not at all while the log is unavailable.
import { type Generation, queueIdOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { deliveryKeys } from "../../../schemas/redis-keys.ts";
import type { Log } from "../../common/log.ts";
import { growing, untilSo } from "../../common/loop.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { isCluster } from "../../common/redis/cluster.ts";
import { callReplicated } from "../../common/redis/replicated.ts";

export interface MarkDeletedOptions {
  readonly redis: RedisClient;
  readonly namespace: string;
  readonly partitionOf: (subscriptionId: string) => number;
  readonly log: Log;
}

/**
 * Resolves when no delivery of the subscription begins any more. The log must already have its deletion: a repeated
 * request could not do this, because it finds no subscription. When Redis is unavailable for long it resolves
 * nevertheless, and a delivering process stops once it has read the deletion.
 */
export type MarkDeleted = (of: Generation) => Promise<void>;

/** Seconds for which the mark is kept: as long as the topic keeps signals. */
const SECONDS = 86_400;
const WITHIN_MS = 10_000;
const pauseMs = growing(50, 1_000);

export const createMarkDeleted =
  ({ redis, namespace, partitionOf, log }: MarkDeletedOptions): MarkDeleted =>
  async (of) => {
    const { deleted } = deliveryKeys(namespace, partitionOf(of.subscriptionId)).of(queueIdOf(of));
    const mark = async () => {
      try {
        await setDeleted(redis, deleted);
        return true;
      } catch (error) {
        log.warn({ err: messageOf(error), subscription: of.subscriptionId }, "cannot tell the queues of a deletion");
        return false;
      }
    };
    await untilSo(mark, { pauseMs, withinMs: WITHIN_MS });
  };

/** A replica that takes over without the mark would let deliveries begin again. */
const setDeleted = (redis: RedisClient, key: string): Promise<unknown> =>
  isCluster(redis) ? callReplicated(redis, "set", [key, "1", "EX", SECONDS]) : redis.set(key, "1", "EX", SECONDS);
