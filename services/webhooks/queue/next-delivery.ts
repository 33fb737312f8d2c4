// The deliveries of a subscription in their order, as its lane takes, tries and ends them.
import { z } from "zod";
import { isQueueId, type QueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { createdAtOf, type Parcel, type WaitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { DeliveryAttempt } from "../../../schemas/records/delivery-ended.ts";
import type { Fenced } from "./fenced.ts";
import { isSlow } from "./receivers.ts";
import { queueScripts } from "./scripts.ts";

export interface QueueRequest {
  readonly queueId: QueueId;
  readonly now: number;
  readonly version: string;
  /** Undefined when the subscription gets no batches. */
  readonly batchMs: number | undefined;
  /**
   * True when the subscription is stopped: its signals are the first to be dropped when the partition exceeds its
   * budget.
   */
  readonly isStopped: boolean;
}

/** The next delivery without its payload; enough for a lane until the delivery can be sent. */
export interface Head {
  readonly id: string;
  /** Approximate creation time of the signal, ms. */
  readonly createdAt: number;
  /** Bytes of its signals, as they are stored. */
  readonly bytes: number;
  /** Number of its signals. */
  readonly signals: number;
  /** Failures in a row at this receiver. */
  readonly failures: number;
  /** Time of the next attempt, ms; 0 means at once. */
  readonly nextAt: number;
  /** True when the last attempt at this receiver was slow. */
  readonly wasSlow: boolean;
}

/** State of the receiver after a delivery, needed by the next one. */
export interface Aftermath {
  /** Failures in a row at this receiver. */
  readonly failures: number;
  /** Time from which the next delivery may be tried, ms; 0 means at once. */
  readonly nextAt: number;
  readonly last: DeliveryAttempt;
}

export interface DeliveryPayload extends Parcel {
  readonly attempts: readonly DeliveryAttempt[];
}

export interface NextDelivery {
  /** Time at which the running batch must be sent, ms. Undefined when no batch is running. */
  readonly batchAt: number | undefined;
  readonly head: Head | undefined;
}

export interface Delivered {
  readonly queueId: QueueId;
  readonly id: string;
  readonly subject: string;
  /** A record for the log, as JSON; "" for none. */
  readonly record: string;
}

const DELETED = "deleted";
const attemptsText = z.string().transform((text): readonly DeliveryAttempt[] => JSON.parse(text));

export function createNextDeliveries({ redis, keys, fence, found }: Fenced) {
  return {
    /** Includes the queues of deleted subscriptions until they are forgotten. */
    known: async () => (await redis.smembers(keys.known)).filter(isQueueId),

    async take({ queueId, now, version, batchMs, isStopped }: QueueRequest): Promise<NextDelivery> {
      const request = { queueId, now, version, batchMs: batchMs ?? "", isStopped: isStopped ? 1 : 0 };
      const [batchAt = "", ...head] = await found(queueScripts.take(redis, { ...fence, ...request }));
      return { batchAt: batchAt === "" ? undefined : Number(batchAt), head: headOf(head) };
    },

    /**
     * @returns undefined when the delivery is no longer the head, DELETED when the log has the deletion of the
     * subscription.
     */
    async load(queueId: QueueId, id: string): Promise<DeliveryPayload | typeof DELETED | undefined> {
      const loaded = await found(queueScripts.load(redis, { ...fence, queueId, id }));
      return loaded[0] === DELETED ? DELETED : payloadOf(id, loaded);
    },

    async retry(queueId: QueueId, id: string, attempts: readonly DeliveryAttempt[], nextAt: number): Promise<void> {
      const failure = { attempts: JSON.stringify(attempts), nextAt, triedAt: attempts.at(-1)?.at ?? 0 };
      await found(queueScripts.retry(redis, { ...fence, queueId, id, ...failure }));
    },

    /** Without an aftermath the receiver was not contacted. */
    async end(delivered: Delivered, aftermath: Aftermath | undefined): Promise<void> {
      await found(queueScripts.end(redis, { ...fence, ...delivered, ...receiverAfter(aftermath) }));
    },

    async forget(queueId: QueueId): Promise<void> {
      await found(queueScripts.forget(redis, { ...fence, queueId }));
    },
  };
}

function receiverAfter(aftermath: Aftermath | undefined) {
  if (aftermath === undefined) return { failures: "", nextAt: "", triedAt: "", slow: "" };
  const { failures, nextAt, last } = aftermath;
  return { failures, nextAt, triedAt: last.at, slow: isSlow(last.ms) ? 1 : 0 };
}

function headOf([id, order, bytes, signals, failures, nextAt, slow]: readonly string[]): Head | undefined {
  if (id === undefined) return undefined;
  return {
    id,
    createdAt: createdAtOf(Number(order)),
    bytes: Number(bytes),
    signals: Number(signals),
    failures: Number(failures),
    nextAt: Number(nextAt),
    wasSlow: slow === "1",
  };
}

function payloadOf(
  id: string,
  [order, item, merged, attempts, ...items]: readonly string[],
): DeliveryPayload | undefined {
  if (item === undefined) return undefined;
  const isBatch = items.length > 0;
  return {
    id,
    createdAt: createdAtOf(Number(order)),
    // accept.ts wrote the texts, so they need no check.
    signals: (isBatch ? items : [item]).map((text): WaitingSignal => JSON.parse(text)),
    isBatch,
    merged: Number(merged),
    attempts: attemptsText.parse(attempts),
  };
}
