// The signals that the recorded subscriptions had, as their topic still has them.
import type { Admin } from "kafkajs";
import type { Segment } from "../../../projections/replay/session.ts";
import { isOfChronicles } from "../../../projections/webhooks/signals/settings.ts";
import { createSubscriptions, type Subscription } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { topicName } from "../../../schemas/topics.ts";
import { MINUTE_MS } from "../../../schemas/units.ts";
import { type OffsetRange, offsetRanges, offsetsSince } from "../../common/kafka/offsets.ts";
import { createPartitionOf } from "../../common/kafka/partition-of.ts";
import { readMessages } from "../../recorded/read-messages.ts";
import type { RecordedStores } from "../../recorded/read-segment.ts";

export interface RecordedSignals {
  readonly subscriptions: readonly Subscription[];
  /** The signals that messages of this partition of the camera-log raised, each once, in the order of the messages. */
  sentOf(partition: number): AsyncGenerator<SignalRaised, void>;
  /** Broker time, ms, from which on the topic has all signals of the subscription. */
  keptSince(subscriptionId: string): number;
}

/** Without ids it opens the signals of all active subscriptions. Rejects when an id is unknown. */
export type OpenSignals = (subscriptionIds: readonly string[]) => Promise<RecordedSignals>;

export interface OpenSignalsDeps {
  readonly read: RecordedStores;
  readonly admin: Admin;
  readonly namespace: string;
  readonly plan: readonly Segment[];
}

/** A signal is written after its message was recorded. The clocks of two brokers may differ by this much. */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;
/**
 * Signals of each partition of the camera-log are read apart from those of the others, so that both sides of the
 * comparison have the order of that partition. Each reader holds a portion of the topic.
 */
const MOST_READERS = 512;

export const openSignalsOf =
  (deps: OpenSignalsDeps): OpenSignals =>
  async (subscriptionIds) => {
    if (deps.plan.some(({ log }) => log === "history")) {
      throw new Error("The log no longer has all of this, so the signals of then are gone, too.");
    }
    const subscriptions = await readSubscriptions(subscriptionIds, deps);
    const topic = topicName(deps.namespace, "signals");
    const ranges = await offsetRanges(deps.admin, topic);
    const partitionOf = createPartitionOf(new Map([[topic, ranges.length]]));
    const places = new Map(subscriptions.map(({ key }) => [key, partitionOf(topic, key)]));
    const wanted = ranges.filter(({ partition }) => [...places.values()].includes(partition));
    const partitions = new Set(deps.plan.map(({ partition }) => partition));
    if (partitions.size * wanted.length > MOST_READERS) {
      throw new Error("Too many partitions to compare at once: give fewer data sources, or one --subscription.");
    }
    const kept = new Map<number, number>();
    for (const range of wanted) kept.set(range.partition, await keptSinceOf(topic, range, deps));
    return {
      subscriptions,
      keptSince: (id) => kept.get(places.get(id) ?? -1) ?? Number.POSITIVE_INFINITY,
      sentOf: (partition) => sentOf(partition, { topic, ranges: wanted, subscriptions }, deps),
    };
  };

async function readSubscriptions(ids: readonly string[], deps: OpenSignalsDeps): Promise<readonly Subscription[]> {
  const { read, admin, namespace } = deps;
  const topic = topicName(namespace, "subscriptions");
  const view = createSubscriptions();
  const [{ low: begin, high: end } = { low: 0, high: 0 }] = await offsetRanges(admin, topic);
  for await (const { value, offset } of readMessages({ topic, partition: 0, begin, end }, read)) {
    const message = readMessage(read.codec, "subscriptions", value);
    if (message.ok) view.apply(message, Number(offset));
  }
  const found =
    ids.length === 0 ? view.active().filter((each) => !isOfChronicles(each)) : ids.map((id) => known(id, view));
  if (found.length === 0) throw new Error("There is no active subscription to tracks or zones.");
  return found;
}

function known(id: string, view: ReturnType<typeof createSubscriptions>): Subscription {
  const found = view.get(id);
  if (found === undefined) throw new Error(`There is no subscription ${id}.`);
  if (isOfChronicles(found)) throw new Error(`The subscription ${id} is to chronicles, which no replay has.`);
  return found;
}

/** The time of the first message that retention has left. */
async function keptSinceOf(topic: string, range: OffsetRange, { read }: OpenSignalsDeps): Promise<number> {
  const { partition, low, high } = range;
  if (low === 0) return Number.NEGATIVE_INFINITY;
  if (low === high) return Number.POSITIVE_INFINITY;
  const { messages } = await read.fetcher.fetch({ topic, partition }, low);
  const [first] = messages;
  return first === undefined ? Number.POSITIVE_INFINITY : Number(first.timestamp);
}

interface Sent {
  readonly topic: string;
  readonly ranges: readonly OffsetRange[];
  readonly subscriptions: readonly Subscription[];
}

/** Each partition of the topic has the signals of this partition of the camera-log in their order: they are merged. */
async function* sentOf(
  partition: number,
  { topic, ranges, subscriptions }: Sent,
  deps: OpenSignalsDeps,
): AsyncGenerator<SignalRaised, void> {
  const since = Math.min(
    ...deps.plan
      .filter((each) => each.partition === partition)
      .map(({ recorded, beginAt }) => recorded[0]?.from ?? beginAt),
  );
  const numbers = ranges.map((range) => range.partition);
  const first = await offsetsSince(deps.admin, topic, Math.max(0, since - CLOCK_DIFFERENCE_MS), numbers);
  const readers = ranges.map(({ partition: number, low, high: end }) => {
    const begin = Math.max(low, first.get(number) ?? low);
    return signalsIn({ topic, partition: number, begin, end }, { partition, subscriptions }, deps);
  });
  try {
    const heads = await Promise.all(readers.map((reader) => reader.next()));
    for (;;) {
      let next = -1;
      for (const [at, { value }] of heads.entries()) {
        const before = heads[next]?.value;
        if (value !== undefined && (before === undefined || value.cause.offset < before.cause.offset)) next = at;
      }
      const [found, reader] = [heads[next]?.value, readers[next]];
      if (found === undefined || reader === undefined) return;
      yield found;
      heads[next] = await reader.next();
    }
  } finally {
    for (const reader of readers) await reader.return(undefined);
  }
}

interface SignalsWanted {
  readonly partition: number;
  readonly subscriptions: readonly Subscription[];
}

/** A signal that is not newer than the last one of its subscription is a repetition. */
async function* signalsIn(
  stretch: Parameters<typeof readMessages>[0],
  { partition, subscriptions }: SignalsWanted,
  { read }: OpenSignalsDeps,
): AsyncGenerator<SignalRaised, undefined> {
  const generations = new Map(subscriptions.map(({ key, createdAt }) => [key, createdAt]));
  const last = new Map<string, SignalRaised["cause"]>();
  for await (const { key, value } of readMessages(stretch, read)) {
    if (!generations.has(String(key))) continue;
    const message = readMessage(read.codec, "signals", value);
    if (!message.ok) continue;
    const { subscriptionId, generation, cause } = message.event;
    const isOfPartition = cause.topic === "camera-log" && cause.partition === partition;
    if (!isOfPartition || generations.get(subscriptionId) !== generation) continue;
    const before = last.get(subscriptionId);
    if (before !== undefined && !isNewer(cause, before)) continue;
    last.set(subscriptionId, cause);
    yield message.event;
  }
}

const isNewer = (cause: SignalRaised["cause"], before: SignalRaised["cause"]): boolean =>
  cause.offset > before.offset || (cause.offset === before.offset && cause.index > before.index);
