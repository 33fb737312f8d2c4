// How many deliveries wait in each queue, and since when.
import type { QueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { createdAtOf } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { Fenced } from "./fenced.ts";

export interface QueueLength {
  readonly deliveries: number;
  /** Approximate creation time of the oldest signal, ms; undefined when the queue is empty. */
  readonly oldestAt: number | undefined;
}

/** Queues per request to Redis, so that other clients never wait long. */
const PORTION = 500;

export const createQueueLengths = ({ redis, keys }: Fenced) => ({
  /** Resolves with the lengths of the queues in their order. The signals of running batches do not count. */
  async lengths(queueIds: readonly QueueId[]): Promise<readonly QueueLength[]> {
    const found: QueueLength[] = [];
    for (let first = 0; first < queueIds.length; first += PORTION) {
      const portion = queueIds.slice(first, first + PORTION).map(async (id): Promise<QueueLength> => {
        const { queue } = keys.of(id);
        const [deliveries, [, order]] = await Promise.all([
          redis.zcard(queue),
          redis.zrange(queue, 0, "0", "WITHSCORES"),
        ]);
        return { deliveries, oldestAt: order === undefined ? undefined : createdAtOf(Number(order)) };
      });
      found.push(...(await Promise.all(portion)));
    }
    return found;
  },
});
