// Turns messages of the log into signals for the queues, or refuses them.
import type { KafkaMessage } from "kafkajs";
import { configBytes } from "../../../projections/webhooks/deliveries/payload.ts";
import { queueIdOf, subscriptionOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { Subscription, Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { traceParentIn } from "../../../schemas/trace-parent.ts";
import type { Log } from "../../common/log.ts";
import type { Arrived } from "../queue/accept.ts";
import type { IdSet } from "../queue/id-set.ts";

export type Finished = Pick<IdSet, "has">;

/** A signal as it is read from the log. */
interface Raised {
  readonly raised: SignalRaised;
  /** Time that the broker gave the message, ms. */
  readonly createdAt: number;
  /** Undefined when the signal is not traced, or tracing is off: readers then drop the header. */
  readonly traceParent: string | undefined;
}

export interface ArrivalsDeps {
  readonly codec: Codec;
  readonly log: Log;
  readonly subscriptions: Subscriptions;
}

export function createArrivals({ codec, log, subscriptions }: ArrivalsDeps) {
  return {
    /** Leaves out the signals whose deliveries have ended. */
    read(messages: readonly KafkaMessage[], finished: Finished | undefined): Raised[] {
      return messages.flatMap(({ value, offset, timestamp, headers }) => {
        const read = readMessage(codec, "signals", value);
        if (!read.ok) {
          log.warn({ offset, reason: read.reason }, "message skipped");
          return [];
        }
        if (finished?.has(read.event.id) === true) return [];
        return [{ raised: read.event, createdAt: Number(timestamp), traceParent: traceParentIn(headers) }];
      });
    },

    /**
     * @returns true when the subscription is unknown or stopped: an earlier record of the log, not read yet, may make
     * the subscription known or resume it.
     */
    isInDoubt({ raised, createdAt }: Raised): boolean {
      const subscription = subscriptionOf(subscriptions, queueIdOf(raised));
      return subscription === undefined || stopOf(subscription, createdAt) !== undefined;
    },

    assess({ raised, createdAt, traceParent }: Raised, logIds: ReadonlyMap<string, string>): Arrived {
      const queueId = queueIdOf(raised);
      const subscription = subscriptionOf(subscriptions, queueId);
      const stopped = subscription && stopOf(subscription, createdAt);
      return {
        queueId,
        mode: subscription?.mode ?? "streaming",
        cause: causeOf(raised, logIds),
        waiting: waitingSignal(raised, createdAt, traceParent),
        refusal: stopped === undefined ? flawOf(raised) : `deliveries are stopped: ${stopped.reason}`,
        configBytes: subscription?.mode === "batch" ? configBytes(subscription) : 0,
      };
    },
  };
}

/**
 * A signal created before the stop is not refused: it waits, like all others of the queue, until the subscription
 * resumes.
 */
const stopOf = ({ stopped }: Subscription, createdAt: number) =>
  stopped !== undefined && createdAt >= stopped.at ? stopped : undefined;

function flawOf({ state }: SignalRaised): string | undefined {
  try {
    JSON.parse(state);
    return undefined;
  } catch {
    return "the state is no JSON";
  }
}
