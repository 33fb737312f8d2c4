// What is to become of the signals that the log brings.
import type { KafkaMessage } from "kafkajs";
import { configBytes } from "../../projections/deliveries/payload.ts";
import { queueIdOf, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import { causeOf, waitingSignal } from "../../projections/deliveries/waiting.ts";
import type { Subscription, Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../schemas/codec.ts";
import { readMessage } from "../../schemas/read-message.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { Log } from "../common/log.ts";
import type { IdSet } from "./id-set.ts";
import type { Arrived } from "./queue.ts";

export type Finished = Pick<IdSet, "has">;

/** A signal of the log. */
interface Raised {
  readonly raised: SignalRaised;
  /** The broker's time, ms. */
  readonly createdAt: number;
}

export interface ArrivalsDeps {
  readonly codec: Codec;
  readonly log: Log;
  readonly subscriptions: Subscriptions;
}

export function createArrivals({ codec, log, subscriptions }: ArrivalsDeps) {
  return {
    /** Without those whose deliveries have ended. */
    read(messages: readonly KafkaMessage[], finished: Finished | undefined): Raised[] {
      return messages.flatMap(({ value, offset, timestamp }) => {
        const read = readMessage(codec, "signals", value);
        if (!read.ok) {
          log.warn({ offset, reason: read.reason }, "message skipped");
          return [];
        }
        if (finished?.has(read.event.id) === true) return [];
        return [{ raised: read.event, createdAt: Number(timestamp) }];
      });
    },

    /**
     * Whether a record that is in the log before the signal, and that may not have been read yet, would change what is to become
     * of it: the subscription, or that it goes on.
     */
    isInDoubt({ raised, createdAt }: Raised): boolean {
      const subscription = subscriptionOf(subscriptions, queueIdOf(raised));
      return subscription === undefined || stopOf(subscription, createdAt) !== undefined;
    },

    judge({ raised, createdAt }: Raised, logIds: ReadonlyMap<string, string>): Arrived {
      const queueId = queueIdOf(raised);
      const subscription = subscriptionOf(subscriptions, queueId);
      const stopped = subscription && stopOf(subscription, createdAt);
      return {
        queueId,
        mode: subscription?.mode ?? "streaming",
        cause: causeOf(raised, logIds),
        waiting: waitingSignal(raised, createdAt),
        refusal: stopped === undefined ? flawOf(raised) : `deliveries are stopped: ${stopped.reason}`,
        configBytes: subscription?.mode === "batch" ? configBytes(subscription) : 0,
      };
    },
  };
}

/** What came before the stop waits for the subscription to go on, like all that waits then. */
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
