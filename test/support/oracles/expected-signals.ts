// The signals that a camera-log must have raised: those of folding it at once, without a service.
import { apply, createPartition, type LiveSettings, noOutputs } from "../../../projections/live/partition.ts";
import { createSignalListener } from "../../../projections/webhooks/signals/signal-listener.ts";
import { type Subscribed, subscribersOf } from "../../../projections/webhooks/signals/subscribers.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { readCameraLog, readMessage } from "../../../schemas/read-message.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { ReadMessage } from "../../../services/common/kafka/read/read-some.ts";
import { liveSettings } from "../running/live-settings.ts";

const bounds = eventBoundsOf(eventBoundsEnv.parse({}));

/** `subscriptions`: all without filters of data sources and sites. In the order of each partition. */
export function expectedSignals(
  messages: readonly ReadMessage[],
  subscriptions: readonly Subscribed[],
  codec: Codec,
  overrides: Partial<LiveSettings> = {},
): SignalRaised[] {
  const subscribers = subscribersOf(subscriptions);
  const settings = { ...liveSettings, ...overrides, listener: createSignalListener({ of: () => subscribers }) };
  const states = new Map<number, ReturnType<typeof createPartition>>();
  const out = noOutputs();
  for (const { partition, message } of messages) {
    const state = states.get(partition) ?? createPartition(partition);
    states.set(partition, state);
    const recordedAt = Number(message.timestamp);
    const read = readCameraLog(codec, { value: message.value, recordedAt, partition, bounds });
    if (!read.ok) throw new Error(read.reason);
    apply(state, { offset: Number(message.offset), recordedAt, message: read.message }, settings, out);
  }
  return out.lists.signals;
}

/** Every signal of the topic, in the order of its partitions; repeated ones too. */
export const raisedSignals = (messages: readonly ReadMessage[], codec: Codec): SignalRaised[] =>
  messages.map(({ message }) => {
    const read = readMessage(codec, "signals", message.value);
    if (!read.ok) throw new Error(read.reason);
    return read.event;
  });

/** Returns the ids of each subscription's signals without repetitions, as a reader of the subscription takes them. */
export function idsOf(signals: readonly SignalRaised[]): Record<string, string[]> {
  // Only the signals of one camera-log partition have an order.
  const keys = Object.groupBy(signals, ({ subscriptionId, cause }) => `${subscriptionId} ${cause.partition}`);
  return Object.fromEntries(
    Object.entries(keys).map(([key, each = []]) => [key, [...new Set(each.map(({ id }) => id))]]),
  );
}
