// POSTs the signals to a receiver as a session does: in order, with retries, at the recorded pace.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { createReplayPace, type Pace } from "../../../projections/replay/pace.ts";
import { createParcels, type Parcels, type ReplayParcel } from "../../../projections/replay/parcels.ts";
import type { RetrySettings } from "../../../projections/webhooks/deliveries/outcome.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { pause } from "../../common/loop.ts";
import { createOutbound } from "../../common/outbound/client.ts";
import { createGuard, HTTP } from "../../common/outbound/guard.ts";
import { deliverParcel } from "../../recorded/deliver.ts";
import { createSendReplay, type SendReplay } from "../../recorded/send.ts";
import type { AskedReceiver } from "./command.ts";
import type { FileReplayConfig } from "./config.ts";
import type { SignalSink } from "./sink.ts";

export interface ReceiverOptions {
  readonly receiver: AskedReceiver;
  readonly subscriptions: readonly SubscriptionSet[];
  readonly catalog: Catalog;
  readonly config: FileReplayConfig;
  readonly signal: AbortSignal;
}

export interface ReceiverSink extends SignalSink {
  /** Signals that were delivered, and those that were given up. */
  readonly delivered: () => number;
  readonly givenUp: () => number;
}

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;

/** Throws when the guard refuses the address. */
export function createReceiver(options: ReceiverOptions): ReceiverSink {
  const { receiver, config } = options;
  const guard = createGuard(config, "public");
  const refusal = guard.refusal(receiver.url, HTTP);
  if (refusal !== undefined) throw new Error(`--to ${receiver.url}: ${refusal}.`);
  const outbound = createOutbound({ guard, allowSelfSigned: config.OUTBOUND_ALLOW_SELF_SIGNED });
  const secretsOf = () => (receiver.secret === undefined ? [] : [receiver.secret]);
  const send = createSendReplay({ outbound, secretsOf, timeoutMs: config.REPLAY_TIMEOUT_MS });
  const sink = deliveringSink({ ...options, send });
  return {
    ...sink,
    finish: async () => {
      await sink.finish();
      outbound.close();
    },
    abandon: async () => outbound.close(),
  };
}

function deliveringSink(options: ReceiverOptions & { readonly send: SendReplay }): ReceiverSink {
  const { receiver, subscriptions } = options;
  const pace = createReplayPace(receiver.speed);
  const queues = new Map(subscriptions.map((each) => [each.key, { subscription: each, parcels: parcelsOf(each) }]));
  const { bring, figures } = createDelivery(options, pace);

  async function bringDue(at: number): Promise<void> {
    for (const { subscription, parcels } of queues.values()) {
      for (const parcel of parcels.due(at)) await bring(subscription, parcel);
    }
  }

  return {
    delivered: () => figures.delivered,
    givenUp: () => figures.givenUp,
    async take({ begins, signals, detectedAt, recordedAt }) {
      const [first] = signals;
      if (begins && first !== undefined) {
        // Due parcels go first, at their own time: the clock that begins now belongs to the coming signals.
        await bringDue(first.timestamp);
        pace.restart();
      }
      const reached = detectedAt === null ? signals.map(({ timestamp }) => timestamp) : [detectedAt];
      for (const at of reached) pace.reach({ at, recordedAt });
      for (const raised of signals) {
        const queue = queues.get(raised.subscriptionId);
        if (queue === undefined) continue;
        for (const parcel of queue.parcels.add(raised)) await bring(queue.subscription, parcel);
      }
    },
    async finish() {
      for (const { subscription, parcels } of queues.values()) {
        for (const parcel of parcels.finish()) await bring(subscription, parcel);
      }
    },
    abandon: async () => undefined,
  };
}

function createDelivery(options: ReceiverOptions & { readonly send: SendReplay }, pace: Pace) {
  const { config, signal } = options;
  const figures = { delivered: 0, givenUp: 0 };
  let givenUpInARow = 0;
  let lastError = "";

  async function awaitTime({ at }: ReplayParcel): Promise<void> {
    for (;;) {
      const leftMs = pace.wait(at, performance.now());
      if (leftMs <= 0) return;
      await pause(leftMs, signal);
      signal.throwIfAborted();
    }
  }

  async function bring(subscription: SubscriptionSet, parcel: ReplayParcel): Promise<void> {
    await awaitTime(parcel);
    const isTaken = await deliverParcel(parcel, {
      ...options,
      subscription,
      retries: retriesOf(config),
      stillOurs: async () => signal.throwIfAborted(),
      onAttempt: () => undefined,
      onError: (error) => {
        lastError = error;
      },
    });
    figures[isTaken ? "delivered" : "givenUp"] += parcel.signals.length;
    givenUpInARow = isTaken ? 0 : givenUpInARow + 1;
    if (givenUpInARow < config.REPLAY_STOP_AFTER_FAILURES) return;
    throw new Error(`The receiver took none of the last ${givenUpInARow} deliveries: ${lastError}.`);
  }

  return { bring, figures };
}

const retriesOf = (config: FileReplayConfig): RetrySettings => ({
  firstDelayMs: FIRST_RETRY_MS,
  longestDelayMs: LONGEST_RETRY_MS,
  keepMs: config.REPLAY_RETRY_FOR_MS,
});

const parcelsOf = (subscription: SubscriptionSet): Parcels => createParcels({ subscription });
