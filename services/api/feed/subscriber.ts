// One subscription of one client. It takes payloads in order, queues them while the client is slow, and ends when too
// many wait.
import { type AppError, unavailable } from "../../../schemas/errors.ts";
import { endedSubscriptions } from "./metrics.ts";
import { createOutbox, type Outbox, type OutboxLimits, type Waiting } from "./outbox.ts";

/** Computed once and sent to all subscribers of the selection. */
export interface FeedPayload extends Waiting {
  /** The execution result in JSON. */
  readonly body: Buffer;
  readonly cursor: string;
}

/**
 * Reason why the server ends a subscription. refused: it cannot begin. slow: its client, or the computing of its
 * selection, does not keep up. away: the log cannot be followed.
 */
export type EndReason = "refused" | "slow" | "away";

/** The transport's side of a subscription. */
export interface Sink {
  /** True while the network has not taken all written data. */
  congested(): boolean;
  write(payload: FeedPayload): void;
  /** Called last: nothing is written afterwards. */
  end(reason: EndReason, error: AppError): void;
}

export interface Subscriber {
  offer(payload: FeedPayload): void;
  /** Must be called when the network takes more again. */
  flush(): void;
  /** Resolves when no payload waits any more, or the subscription is over. */
  whenWritable(): Promise<void>;
  end(reason: EndReason, error: AppError): void;
  /** Must be called when the client ended the subscription, or its connection closed. */
  stop(): void;
  readonly over: boolean;
}

export const tooSlow = () =>
  unavailable("this subscription is too far behind; subscribe again with the cursor of the last message");

export const createSubscriber = (sink: Sink, limits: OutboxLimits, onOver: () => void): Subscriber =>
  new QueueingSubscriber(sink, limits, onOver);

/**
 * There are as many as clients, so it is a class, and keeps nothing that only a slow client needs: an object with
 * functions of its own takes some ten times as much memory.
 */
class QueueingSubscriber implements Subscriber {
  readonly #sink: Sink;
  readonly #limits: OutboxLimits;
  readonly #onOver: () => void;
  /** Undefined while nothing waits. */
  #outbox: Outbox<FeedPayload> | undefined;
  #roomy: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  constructor(sink: Sink, limits: OutboxLimits, onOver: () => void) {
    this.#sink = sink;
    this.#limits = limits;
    this.#onOver = onOver;
  }

  get over(): boolean {
    return this.#isOver;
  }

  offer(payload: FeedPayload): void {
    if (this.#isOver) return;
    if (this.#outbox === undefined && !this.#sink.congested()) {
      this.#sink.write(payload);
      return;
    }
    this.#outbox ??= createOutbox(this.#limits);
    if (!this.#outbox.push(payload)) this.end("slow", tooSlow());
  }

  flush(): void {
    const outbox = this.#outbox;
    if (outbox === undefined) return;
    while (!this.#isOver && outbox.size > 0 && !this.#sink.congested()) {
      const payload = outbox.shift();
      if (payload !== undefined) this.#sink.write(payload);
    }
    if (!this.#isOver && outbox.size === 0) this.#empty();
  }

  async whenWritable(): Promise<void> {
    if (this.#outbox === undefined) return;
    this.#roomy ??= Promise.withResolvers();
    await this.#roomy.promise;
  }

  end(reason: EndReason, error: AppError): void {
    if (this.#isOver) return;
    endedSubscriptions.inc({ reason });
    this.stop();
    this.#sink.end(reason, error);
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#empty();
    this.#onOver();
  }

  #empty(): void {
    this.#outbox = undefined;
    this.#roomy?.resolve();
    this.#roomy = undefined;
  }
}
