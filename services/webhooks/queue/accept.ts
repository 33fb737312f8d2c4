// Takes signals into the queues, and drops signals when the queues exceed the partition's budget.
import { FULL_OUTBOX_BYTES } from "../../../projections/webhooks/deliveries/outbox-bounds.ts";
import type { QueueId } from "../../../projections/webhooks/deliveries/queue-id.ts";
import {
  isMergeable,
  subjectKey,
  type WaitingCause,
  type WaitingSignal,
} from "../../../projections/webhooks/deliveries/waiting.ts";
import type { SubscriptionMode } from "../../../schemas/records/subscription.ts";
import type { Fenced } from "./fenced.ts";
import { queueScripts } from "./scripts.ts";

export interface Bounds {
  readonly lagMs: number;
  readonly maxWaiting: number;
  readonly maxBytes: number;
  readonly batchSignals: number;
  readonly batchBytes: number;
}

export interface Arrived {
  readonly queueId: QueueId;
  readonly mode: SubscriptionMode;
  readonly cause: WaitingCause;
  readonly waiting: WaitingSignal;
  /** Reason for not delivering the signal. */
  readonly refusal: string | undefined;
  /** Bytes that each signal of a batch takes in the body besides itself. */
  readonly configBytes: number;
}

export interface Arrival {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly signals: readonly Arrived[];
}

/** Reply of a script that has more to drop than one call may. */
const MORE = "1";
const FULL = "full";

/** `budgetBytes` resolves with the number of bytes that the queues of the partition may hold. */
export function createAccepting({ redis, fence, found }: Fenced, bounds: Bounds, budgetBytes: () => Promise<number>) {
  /** Drops in several short steps, so that other clients never wait long for Redis. */
  async function evictAll(now: number, bytes: number): Promise<void> {
    const step = () => found(queueScripts.evict(redis, { ...fence, now, budgetBytes: bytes }));
    for (let [rest] = await step(); rest === MORE; ) [rest] = await step();
  }

  return {
    /**
     * Takes the signals in and moves the position, in one step. Drops the newest signals of the largest queues when the
     * partition exceeds its budget. Rejects while the delivery log must be told of too much before.
     */
    async accept({ from, to, now, signals }: Arrival): Promise<void> {
      const bytes = await budgetBytes();
      const limits = { ...bounds, fullOutboxBytes: FULL_OUTBOX_BYTES, budgetBytes: bytes };
      const arrived = { from, to, now, signals: signals.flatMap(argumentsOf) };
      const [rest] = await found(queueScripts.accept(redis, { ...fence, ...limits, ...arrived }));
      if (rest === FULL) throw new Error("the delivery log must be told of too much before");
      if (rest === MORE) await evictAll(now, bytes);
    },

    /** Drops signals beyond the partition's budget, which shrinks when other partitions hold more. */
    evict: async (now: number) => evictAll(now, await budgetBytes()),
  };
}

/** In the order in which accept.lua reads them. */
function argumentsOf({ queueId, mode, cause, waiting, refusal, configBytes }: Arrived): (string | number)[] {
  return [
    queueId,
    mode,
    cause.log,
    cause.offset,
    cause.index,
    waiting.id,
    subjectKey(waiting),
    isMergeable(waiting) ? "1" : "0",
    waiting.createdAt,
    JSON.stringify(waiting),
    refusal === undefined ? "" : JSON.stringify(refusal),
    configBytes,
  ];
}
