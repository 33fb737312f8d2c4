// Raises the signals of subscriptions to activity chronicles. A message of the chronicles topic says only what it changes,
// so the whole chronicle is asked of the API, which has waited for the message.
import type { Redis } from "ioredis";
import type { Kafka } from "kafkajs";
import { type ChronicleMemory, chronicleStep, nothingSeen } from "../../projections/signals/chronicle-step.ts";
import { tokenValuePlace } from "../../projections/subscriptions/places.ts";
import type { Subscription, Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../schemas/codec.ts";
import { readMessage } from "../../schemas/read-message.ts";
import { recordMessage } from "../../schemas/record-message.ts";
import type { SignalRaised } from "../../schemas/records/signal-raised.ts";
import { chronicleMemoryKey } from "../../schemas/redis-keys.ts";
import { topicName } from "../../schemas/topics.ts";
import type { GroupReader, Taken } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import { offsetRanges } from "../common/kafka/offsets.ts";
import type { Publisher } from "../common/kafka/publisher.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { patiently } from "../common/patiently.ts";
import { SealError, type Sealer } from "../common/sealed.ts";
import type { AskChronicles, Credentials } from "./ask-chronicles.ts";
import { SOURCE } from "./source.ts";

export interface ChroniclesDeps {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly namespace: string;
  readonly reader: GroupReader;
  readonly codec: Codec;
  readonly subscriptions: Subscriptions;
  readonly isRevoked: (subscription: Subscription) => boolean;
  readonly sealer: Sealer;
  /** The signal ends its questions. */
  readonly createAsk: (signal: AbortSignal) => AskChronicles;
  readonly redis: Redis;
  readonly publisher: Publisher;
  /** How long an unchanged chronicle is remembered. */
  readonly memorySeconds: number;
  readonly log: Log;
}

const IDLE_MS = 1_000;
/** Of one question. */
const PORTION = 100;

interface Change {
  readonly id: string;
  readonly offset: number;
  readonly isCreation: boolean;
}

export function createChronicles(deps: ChroniclesDeps): Part {
  const { reader, log } = deps;
  const stopping = new AbortController();
  const ask = deps.createAsk(stopping.signal);
  const patience = { log, signal: stopping.signal };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { assigned, batches } = await reader.next(IDLE_MS);
      if (assigned !== undefined) await begin(assigned);
      for (const batch of batches) await take(batch);
    }
  }

  async function begin(ids: readonly PartitionId[]): Promise<void> {
    const offsets = await patiently("find where to begin", () => startOffsets(deps), patience);
    const starts = ids.map((id) => ({ ...id, offset: offsets.get(id.partition) }));
    await patiently("begin to read", () => reader.begin(starts), patience);
  }

  async function take({ topic, partition, messages, next }: Taken): Promise<void> {
    const changes = await patiently("read changes of chronicles", () => changesOf(messages, deps), patience);
    for (let first = 0; first < changes.length && !stopping.signal.aborted; first += PORTION) {
      const portion = changes.slice(first, first + PORTION);
      await patiently("raise signals of chronicles", () => raise(portion, partition, ask, deps), patience);
    }
    // Otherwise the messages are read again: not all of them were worked on.
    if (!stopping.signal.aborted) await reader.commit([{ topic, partition, next }]);
  }

  return {
    name: "chronicle signals",
    failed: failed.promise,
    async start() {
      await reader.start();
      working = work().catch(failed.reject);
    },
    async stop() {
      stopping.abort();
      reader.wake();
      await working;
      await reader.stop();
    },
  };
}

/** Where the group was; else when the oldest subscription was made, for which a chronicle may be news. */
async function startOffsets({ kafka, groupId, namespace, subscriptions }: ChroniclesDeps) {
  const topic = topicName(namespace, "chronicles");
  const since = Math.min(Date.now(), ...listening(subscriptions).map(({ createdAt }) => createdAt));
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [ranges, [found], oldest] = await Promise.all([
      offsetRanges(admin, topic),
      admin.fetchOffsets({ groupId, topics: [topic] }),
      admin.fetchTopicOffsetsByTimestamp(topic, since),
    ]);
    const committed = new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const first = new Map(oldest.map(({ partition, offset }) => [partition, Number(offset)]));
    return new Map(
      ranges.map(({ partition, low, high }) => {
        const offset = committed.get(partition) ?? -1;
        const isKnown = offset >= 0 && offset <= high;
        return [partition, Math.max(isKnown ? offset : (first.get(partition) ?? high), low)];
      }),
    );
  } finally {
    await admin.disconnect();
  }
}

async function changesOf(messages: Taken["messages"], { codec, subscriptions }: ChroniclesDeps): Promise<Change[]> {
  if (listening(subscriptions).length === 0) return [];
  return messages.flatMap(({ value, offset }) => {
    const read = readMessage(codec, "chronicles", value);
    // The projector says what is wrong with a message.
    if (!read.ok) return [];
    if (read.type !== "ActivityChronicleChanged" && read.type !== "ActivityMediaAdded") return [];
    const isCreation = read.type === "ActivityChronicleChanged" && read.event.change === "created";
    return [{ id: read.event.id, offset: Number(offset), isCreation }];
  });
}

const listening = (subscriptions: Subscriptions): readonly Subscription[] =>
  subscriptions.active().filter(({ signalType }) => signalType === "activity_chronicle");

async function raise(
  changes: readonly Change[],
  partition: number,
  ask: AskChronicles,
  deps: ChroniclesDeps,
): Promise<void> {
  const { subscriptions, isRevoked, sealer, redis, namespace } = deps;
  const listeners = listening(subscriptions).filter((each) => !isRevoked(each));
  const credentials = credentialsOf(listeners, sealer);
  const last = changes.at(-1);
  if (credentials === undefined || last === undefined) return;
  const position = { topic: "chronicles", partition, offset: last.offset } as const;
  const ids = [...new Set(changes.map(({ id }) => id))];
  const shown = await ask(ids, position, credentials);
  const keyOf = (id: string) => chronicleMemoryKey(namespace, id);
  const texts = await redis.mget(ids.map(keyOf));
  const memories = new Map(ids.map((id, i) => [id, parseMemory(texts[i])]));
  for (const { id, ...message } of changes) {
    const chronicle = shown.get(id);
    if (chronicle === undefined) continue;
    const memory = memories.get(id) ?? nothingSeen;
    const step = chronicleStep(memory, chronicle, JSON.stringify(chronicle), { partition, ...message }, listeners);
    if (step === undefined) continue;
    const remember = (next: ChronicleMemory) => redis.set(keyOf(id), JSON.stringify(next), "EX", deps.memorySeconds);
    await remember(step.before);
    if (step.signals.length > 0) await publish(step.signals, deps);
    await remember(step.after);
    memories.set(id, step.after);
  }
}

/** Of the first whose value opens: that of another may be sealed with a key that is gone. */
function credentialsOf(listeners: readonly Subscription[], sealer: Sealer): Credentials | undefined {
  for (const { key, tokenId, tokenValue } of listeners) {
    try {
      return { tokenId, tokenValue: sealer.open(tokenValue, tokenValuePlace(key)) };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
    }
  }
  return undefined;
}

/** Far below what the publisher's queue holds. */
const PUBLISHED_CHARACTERS = 8 * 1024 * 1024;

async function publish(
  signals: readonly SignalRaised[],
  { publisher, codec, namespace }: ChroniclesDeps,
): Promise<void> {
  const written = { source: SOURCE, timeMs: Date.now() };
  // All have the state of one chronicle.
  const atOnce = Math.max(1, Math.floor(PUBLISHED_CHARACTERS / (signals[0]?.state.length ?? 1)));
  for (let first = 0; first < signals.length; first += atOnce) {
    const portion = signals.slice(first, first + atOnce);
    await publisher.publish(
      portion.map((event) => recordMessage(codec, namespace, { type: "SignalRaised", event }, written)),
    );
  }
}

const parseMemory = (text: string | null | undefined): ChronicleMemory =>
  text == null ? nothingSeen : JSON.parse(text);
