// Measures the queues of a partition now and then, for the metrics: a length per scrape would cost Redis two commands
// for each subscription every time.
import { type QueueId, subscriptionOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Queue } from "../queue/queue.ts";

/** Deliveries of stopped subscriptions wait for the next POST, all others for their receivers. */
export const receiverStates = ["active", "stopped"] as const;

export type ReceiverState = (typeof receiverStates)[number];

export interface WaitingSum {
  readonly deliveries: number;
  /** Approximate creation time of the oldest signal, ms; infinite when nothing waits. */
  readonly oldestAt: number;
}

const MEASURE_EVERY_MS = 15_000;
const NOTHING: WaitingSum = { deliveries: 0, oldestAt: Number.POSITIVE_INFINITY };

export class WaitingDeliveries {
  readonly #queue: Pick<Queue, "lengths">;
  readonly #subscriptions: Pick<Subscriptions, "get">;
  #measured: Readonly<Record<ReceiverState, WaitingSum>> = { active: NOTHING, stopped: NOTHING };
  #dueAt = 0;

  constructor(queue: Pick<Queue, "lengths">, subscriptions: Pick<Subscriptions, "get">) {
    this.#queue = queue;
    this.#subscriptions = subscriptions;
  }

  of(state: ReceiverState): WaitingSum {
    return this.#measured[state];
  }

  /** Measures these queues, unless they were measured a moment ago. */
  async measureWhenDue(queueIds: readonly QueueId[]): Promise<void> {
    if (performance.now() < this.#dueAt) return;
    this.#dueAt = performance.now() + MEASURE_EVERY_MS;
    const lengths = await this.#queue.lengths(queueIds);
    const states = queueIds.map((id) => stateOf(this.#subscriptions, id));
    const sum = (state: ReceiverState): WaitingSum =>
      lengths.reduce<WaitingSum>((all, { deliveries, oldestAt = NOTHING.oldestAt }, i) => {
        if (states[i] !== state) return all;
        return { deliveries: all.deliveries + deliveries, oldestAt: Math.min(all.oldestAt, oldestAt) };
      }, NOTHING);
    this.#measured = { active: sum("active"), stopped: sum("stopped") };
  }
}

const stateOf = (subscriptions: Pick<Subscriptions, "get">, id: QueueId): ReceiverState =>
  subscriptionOf(subscriptions, id)?.stopped === undefined ? "active" : "stopped";
