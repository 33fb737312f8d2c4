// The deliveries that clients requested, outside the order of the queue.
import { isQueueId, type QueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import {
  createdAtOf,
  type Parcel,
  parseItem,
  type WaitingSignal,
} from "../../../projections/webhooks/deliveries/waiting.ts";
import type { Fenced } from "./fenced.ts";
import type { Delivered } from "./next-delivery.ts";
import { queueScripts } from "./scripts.ts";

/** A delivery that a client requested. */
export interface RequestedRedelivery {
  readonly id: string;
  /** Bytes of all its signals, as they are stored. */
  readonly bytes: number;
  /** Number of its signals that are still in the queue. */
  readonly signals: number;
}

export function createRequestedDeliveries({ redis, keys, fence, found }: Fenced) {
  return {
    /** Returns the queues with requested deliveries. */
    requestedQueues: async () => (await redis.smembers(keys.asked)).filter(isQueueId),

    async express(queueId: QueueId): Promise<readonly RequestedRedelivery[]> {
      const texts = await found(queueScripts.express(redis, { ...fence, queueId }));
      return texts.flatMap((id, i) =>
        i % 3 === 0 ? [{ id, bytes: Number(texts[i + 1]), signals: Number(texts[i + 2]) }] : [],
      );
    },

    /**
     * The requested delivery, as JSON.
     * @returns undefined when it is no longer requested, or when the subscription was deleted.
     */
    async requestOf(queueId: QueueId, id: string): Promise<string | undefined> {
      const { express, deleted } = keys.of(queueId);
      const [text, isDeleted] = await Promise.all([redis.hget(express, id), redis.exists(deleted)]);
      return text === null || isDeleted === 1 ? undefined : text;
    },

    /** @returns undefined when the delivery no longer waits. */
    async waiting(queueId: QueueId, id: string): Promise<Parcel | undefined> {
      const { queue, items, merged } = keys.of(queueId);
      const [order, text, count] = await Promise.all([
        redis.zscore(queue, id),
        redis.hget(items, id),
        redis.hget(merged, id),
      ]);
      if (order === null || text === null) return undefined;
      const item = parseItem(text);
      const parcel = { id, createdAt: createdAtOf(Number(order)), merged: Number(count ?? 0) };
      if ("signal" in item) return { ...parcel, signals: [item.signal], isBatch: false };
      const texts = await redis.hmget(items, ...item.batch);
      const signals = texts.flatMap((each): WaitingSignal[] => (each === null ? [] : [JSON.parse(each)]));
      // A missing signal shows that the delivery has ended since the first query.
      return signals.length < texts.length ? undefined : { ...parcel, signals, isBatch: true };
    },

    async endExpress(delivered: Delivered, succeeded: boolean): Promise<void> {
      await found(queueScripts.endExpress(redis, { ...fence, ...delivered, succeeded: succeeded ? 1 : 0 }));
    },
  };
}
