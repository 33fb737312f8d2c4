// The deliveries of one subscription, one after the other. A lane lives while a signal waits. It has a payload in
// memory only while that is sent: thousands of lanes may wait for receivers that are unavailable.
import { type QueueId, subscriptionOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { patiently } from "../../common/patiently.ts";
import type { Head, NextDelivery } from "../queue/next-delivery.ts";
import { attemptHead, giveUp } from "./attempt.ts";
import type { LaneContext } from "./context.ts";
import { LaneRest } from "./rest.ts";

export interface Lane {
  /** Must be called when a signal has arrived. */
  wake(): void;
  /** Must be called when the subscription has changed. */
  change(): void;
  /** Resolves when nothing waits any more. Rejects with NotOwner. */
  readonly done: Promise<void>;
}

/**
 * A signal may be read before its subscription. After this time the lane reads the log to its end to find out whether
 * the subscription exists.
 */
const UNKNOWN_MS = 30_000;
/**
 * Pause before the next attempt when Redis has recorded the deletion of a subscription that the log does not show as
 * deleted. The log may have lost its newest messages, so the deletion may never appear in it.
 */
const UNDELETED_MS = 1_000;

export function startLane(queueId: QueueId, context: LaneContext): Lane {
  const work = new LaneWork(queueId, context);
  return { done: work.run(), wake: () => work.rest.arrive(), change: () => work.rest.change() };
}

class LaneWork {
  readonly rest: LaneRest;
  readonly #queueId: QueueId;
  readonly #context: LaneContext;
  readonly #startedAt = performance.now();
  #hasCaughtUp = false;
  /** True when Redis has recorded the deletion; this process may not have read it yet. */
  #isDeleted = false;

  constructor(queueId: QueueId, context: LaneContext) {
    this.#queueId = queueId;
    this.#context = context;
    this.rest = new LaneRest(context.patience.signal);
  }

  async run(): Promise<void> {
    let isOver = false;
    while (!isOver && !this.#context.patience.signal.aborted) {
      this.rest.forget();
      if (this.#isDeleted) await this.#readDeletion();
      const subscription = this.#subscription();
      isOver = subscription === undefined ? await this.#findOut() : await this.#serve(subscription);
    }
  }

  #subscription(): Subscription | undefined {
    return subscriptionOf(this.#context.subscriptions, this.#queueId);
  }

  async #readDeletion(): Promise<void> {
    const { caughtUp, patience } = this.#context;
    await patiently("read of the deletion", caughtUp, patience);
    this.#isDeleted = false;
    if (this.#subscription() !== undefined) await this.rest.untilChange(UNDELETED_MS);
  }

  /**
   * Waits for an unknown subscription, then reads the log to its end. Resolves with true when the subscription was
   * deleted.
   */
  async #findOut(): Promise<boolean> {
    const { queue, caughtUp, patience } = this.#context;
    const left = this.#startedAt + UNKNOWN_MS - performance.now();
    if (left > 0) {
      await this.rest.untilChange(left);
      return false;
    }
    if (!this.#hasCaughtUp) {
      await patiently("read the subscriptions", caughtUp, patience);
      this.#hasCaughtUp = true;
      return false;
    }
    // The log is read to its end. It contained the subscription when the signal was raised, so the subscription was
    // deleted since.
    await patiently("forget", () => queue.forget(this.#queueId), patience);
    return true;
  }

  /** Resolves with true when nothing waits any more. */
  async #serve(subscription: Subscription): Promise<boolean> {
    const { head, batchAt } = await this.#take(subscription);
    const now = Date.now();
    if (head !== undefined) await this.#see(head, subscription, now);
    else if (batchAt !== undefined) await this.rest.untilArrival(batchAt - now);
    else return !this.rest.hasArrived;
    return false;
  }

  #take({ version, mode, batchInterval, stopped }: Subscription): Promise<NextDelivery> {
    const { queue, patience } = this.#context;
    const batchMs = mode === "batch" ? batchInterval * 1_000 : undefined;
    const request = { queueId: this.#queueId, now: Date.now(), version, batchMs, isStopped: stopped !== undefined };
    return patiently("take a delivery", () => queue.take(request), patience);
  }

  async #see(head: Head, subscription: Subscription, now: number): Promise<void> {
    const context = this.#context;
    const endsAt = head.createdAt + context.retries.keepMs;
    const dueAt = subscription.stopped === undefined ? head.nextAt : endsAt;
    const onDeleted = () => {
      this.#isDeleted = true;
    };
    const turn = { queueId: this.#queueId, head, subscription, context, onDeleted };
    if (now >= endsAt) await context.turns.run(() => giveUp(turn, now));
    else if (now < dueAt) await this.rest.untilChange(Math.min(dueAt, endsAt) - now);
    else await attemptHead(turn);
  }
}
