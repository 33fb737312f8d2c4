// The deliveries of a partition. Each subscription with waiting signals has a lane, and the ends of deliveries are
// written to the delivery log.
import { type QueueId, subscriptionOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { Log } from "../../common/log.ts";
import { pause } from "../../common/loop.ts";
import type { Tenure } from "../../common/partitions/tenure.ts";
import { type Patience, patiently } from "../../common/patiently.ts";
import { createTurns } from "../../common/turns.ts";
import type { LaneContext, LaneDeps } from "../deliver/context.ts";
import { deliverRequested } from "../deliver/express.ts";
import { type Lane, startLane } from "../deliver/lane.ts";
import { createQueueOwnership } from "../deliver/ownership.ts";
import { drain, type OutboxDeps } from "../queue/outbox.ts";
import type { Queue } from "../queue/queue.ts";
import { WaitingDeliveries } from "./waiting-deliveries.ts";

export interface DeliveryLanesDeps extends LaneDeps, OutboxDeps {
  readonly log: Log;
}

/**
 * Milliseconds within which the requests under way may finish when the tenure ends. A part has only a few seconds to
 * stop.
 */
const FINISH_MS = 3_000;
/** Expired deliveries that are loaded for the delivery log at the same time. */
const LOADED_UNSENT = 4;

interface StartedLane extends Lane {
  hasNews: boolean;
}

export class DeliveryLanes {
  readonly #queue: Queue;
  readonly #tenure: Tenure;
  readonly #deps: DeliveryLanesDeps;
  readonly #patience: Patience;
  readonly #context: LaneContext;
  readonly #cutting = new AbortController();
  readonly #lanes = new Map<QueueId, StartedLane>();
  readonly #expressing = new Set<QueueId>();
  readonly waiting: WaitingDeliveries;
  #isDraining = false;
  #hasMore = false;

  constructor(queue: Queue, tenure: Tenure, deps: DeliveryLanesDeps) {
    this.#queue = queue;
    this.#tenure = tenure;
    this.#deps = deps;
    this.waiting = new WaitingDeliveries(queue, deps.subscriptions);
    this.#patience = { log: deps.log, signal: tenure.signal };
    this.#context = {
      ...deps,
      queue,
      patience: this.#patience,
      cut: this.#cutting.signal,
      onEnded: () => this.drain(),
      // The success has reset the time of the next attempt in Redis. The resting lane must read it again.
      onReached: (queueId) => this.#lanes.get(queueId)?.change(),
      ownership: createQueueOwnership(queue),
      turns: createTurns(LOADED_UNSENT),
    };
  }

  /** Number of subscriptions with deliveries that wait or are under way. */
  get count(): number {
    return this.#lanes.size;
  }

  wake(queueId: QueueId): void {
    if (this.#tenure.isOver) return;
    const known = this.#lanes.get(queueId);
    if (known === undefined) {
      this.#start(queueId);
      return;
    }
    known.hasNews = true;
    known.wake();
  }

  #start(queueId: QueueId): void {
    const lane = { ...startLane(queueId, this.#context), hasNews: false };
    this.#lanes.set(queueId, lane);
    const done = lane.done.finally(() => {
      this.#lanes.delete(queueId);
      // The lane may have checked for the last time before the news came.
      if (lane.hasNews) this.wake(queueId);
    });
    this.#tenure.run(done);
  }

  /** Sends the deliveries that clients requested, without waiting for the lane. */
  express(queueId: QueueId): void {
    if (this.#expressing.has(queueId) || this.#tenure.isOver) return;
    if (subscriptionOf(this.#deps.subscriptions, queueId) === undefined) {
      // The subscription is not read from the log yet, or it is deleted. Its lane finds out which.
      this.wake(queueId);
      return;
    }
    this.#expressing.add(queueId);
    this.#tenure.run(deliverRequested(queueId, this.#context).finally(() => this.#expressing.delete(queueId)));
  }

  /** Must be called when the outbox may have ends for the delivery log. */
  drain(): void {
    this.#hasMore = true;
    if (this.#isDraining || this.#tenure.isOver) return;
    this.#isDraining = true;
    this.#tenure.run(this.#drainAll());
  }

  async #drainAll(): Promise<void> {
    try {
      while (this.#hasMore && !this.#tenure.isOver) {
        this.#hasMore = false;
        await drain(this.#queue, this.#deps, this.#patience);
      }
    } finally {
      this.#isDraining = false;
    }
  }

  /** Must be called when the subscription has changed. */
  change(queueId: QueueId): void {
    this.#lanes.get(queueId)?.change();
    this.wake(queueId);
  }

  /** Must be called when the subscription is deleted; its waiting signals are dropped. */
  forget(queueId: QueueId): void {
    const forgetting = patiently("forget", () => this.#queue.forget(queueId), this.#patience);
    this.#tenure.run(forgetting.then(() => this.#lanes.get(queueId)?.change()));
  }

  /** Starts lanes for the waiting signals, and drops the remains of deleted subscriptions. */
  async resume(): Promise<void> {
    for (const id of await patiently("list the queues", this.#queue.known, this.#patience)) this.wake(id);
    this.drain();
  }

  /**
   * Drops signals that exceed the partition's budget, sends requested deliveries whose notice was lost, and measures
   * the queues.
   */
  async check(): Promise<void> {
    await this.#queue.evict(Date.now());
    this.drain();
    for (const id of await this.#queue.requestedQueues()) this.express(id);
    await this.waiting.measureWhenDue([...this.#lanes.keys()]);
  }

  /** Resolves when `ended` does. Requests under way are aborted when they do not finish within FINISH_MS. */
  async finish(ended: Promise<void>): Promise<void> {
    await Promise.race([ended, pause(FINISH_MS, this.#cutting.signal)]);
    this.#cutting.abort();
    await ended;
  }
}
