// One subscription of one client. It takes payloads in order, queues them while the client is slow, and ends when too
// many wait.
import { type AppError, unavailable } from "../../../schemas/errors.ts";
import { endedSubscriptions } from "./metrics.ts";
import { createOutbox, type OutboxLimits, type Waiting } from "./outbox.ts";

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
type EndReason = "refused" | "slow" | "away";

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

export function createSubscriber(sink: Sink, limits: OutboxLimits, onOver: () => void): Subscriber {
  const outbox = createOutbox<FeedPayload>(limits);
  let roomy = Promise.withResolvers<void>();
  let over = false;

  function stop(): void {
    if (over) return;
    over = true;
    outbox.clear();
    roomy.resolve();
    onOver();
  }

  function end(reason: EndReason, error: AppError): void {
    if (over) return;
    endedSubscriptions.inc({ reason });
    stop();
    sink.end(reason, error);
  }

  return {
    get over() {
      return over;
    },

    offer(payload) {
      if (over) return;
      if (outbox.size === 0 && !sink.congested()) sink.write(payload);
      else if (!outbox.push(payload)) end("slow", tooSlow());
    },

    flush() {
      while (!over && outbox.size > 0 && !sink.congested()) {
        const payload = outbox.shift();
        if (payload !== undefined) sink.write(payload);
      }
      if (outbox.size > 0 || over) return;
      roomy.resolve();
      roomy = Promise.withResolvers<void>();
    },

    async whenWritable() {
      if (outbox.size > 0) await roomy.promise;
    },

    end,
    stop,
  };
}
