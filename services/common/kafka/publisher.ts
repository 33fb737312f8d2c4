// Gathers messages for a moment and sends them as one request: kafkajs has no linger of its own. One request is in
// flight at a time, and what became of it is settled before the next, so the order of calls is the order in the log.
import { setImmediate } from "node:timers/promises";
import { type Kafka, Partitioners, type Producer } from "kafkajs";
import { LRUCache } from "lru-cache";
import { messageOf, unavailable } from "../../../schemas/errors.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { untilSettled, watchRequests } from "./in-flight.ts";
import { offsetRanges } from "./offsets.ts";
import { type Addressed, groupByPartition, groupKey, type OutMessage, toTopicMessages } from "./topic-messages.ts";

export type { OutMessage } from "./topic-messages.ts";

/** Where the log has a message, by the names that topics have on the broker. */
export interface Acknowledged {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** The broker's time of the message; undefined where the topic keeps the time of its producers. */
  readonly recordedAt?: number | undefined;
}

export interface Publisher extends Part {
  /**
   * Resolves, in the order given, when all in-sync replicas have every message. Rejects with UNAVAILABLE when the queue
   * is full, the log refused or did not answer in time; repeating is harmless then, as a message may have arrived or still
   * do so. In each partition what arrives is a beginning of what was given: after a failure nothing later is written.
   * `isValid` is asked right before they are sent; when they are no longer, they are not, and it rejects.
   */
  publish(messages: readonly OutMessage[], isValid?: () => boolean): Promise<Acknowledged[]>;
  partitionOf(topic: string, key: string): number;
}

export interface PublisherOptions {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  readonly log: Log;
  /** How long a lone message waits for company. */
  readonly lingerMs: number;
  readonly maxBatchBytes: number;
  /** Beyond this many queued bytes callers are refused: the queue is the only place where memory could grow. */
  readonly maxQueueBytes: number;
  /** Callers are refused as well while a message has been waiting this long to be sent; left out: it may wait. */
  readonly maxQueueMs?: number;
  readonly timeoutMs: number;
  /**
   * Sends again what was not acknowledged, by default 8 times: then it may stand in the log twice. With 0 a failure is told
   * when no broker is writing any of it any more, so that whoever looks up what was written finds it.
   */
  readonly retries?: number;
}

interface Entry extends Addressed {
  readonly bytes: number;
  readonly call: Call;
  readonly index: number;
}

interface Call {
  readonly positions: Acknowledged[];
  readonly deadline: number;
  left: number;
  settled: boolean;
  readonly isValid: (() => boolean) | undefined;
  resolve(positions: Acknowledged[]): void;
  reject(error: unknown): void;
}

type Answer = () => void;

const nobody: Answer = () => undefined;

const RETRY_AFTER_MS = 1_000;
const CACHED_KEYS = 10_000;
const OVERHEAD_BYTES = 100;

export function createPublisher(options: PublisherOptions): Publisher {
  const { kafka, log } = options;
  watchRequests();
  const partitionCounts = new Map<string, number>();
  const partitionOfKey = Partitioners.DefaultPartitioner();
  const partitions = new LRUCache<string, number>({ max: CACHED_KEYS });
  const producer: Producer = kafka.producer({
    // Every message comes with its partition; kafkajs asks all the same.
    createPartitioner:
      () =>
      ({ message: { partition } }) =>
        partition ?? 0,
    allowAutoTopicCreation: false,
    maxInFlightRequests: 1,
    ...(options.retries === undefined ? {} : { retry: { retries: options.retries } }),
  });
  let queue: Entry[] = [];
  let queuedBytes = 0;
  let pump: Promise<void> | undefined;
  let deadlines: NodeJS.Timeout | undefined;
  const open = new Set<Call>();

  function partitionOf(topic: string, key: string): number {
    const count = partitionCounts.get(topic);
    if (count === undefined) throw new Error(`publisher does not know topic ${topic}`);
    // A camera's key comes again and again; hashing it each time is seen in the profile.
    const cacheKey = `${count} ${key}`;
    let partition = partitions.get(cacheKey);
    if (partition === undefined) {
      partition = partitionOfKey({ topic, partitionMetadata: metadataOf(count), message: { key, value: null } });
      partitions.set(cacheKey, partition);
    }
    return partition;
  }

  async function sendAll(): Promise<void> {
    let answer: Answer = nobody;
    try {
      while (queue.length > 0) {
        if (queuedBytes < options.maxBatchBytes) {
          answer();
          answer = nobody;
          // At least what is published in the same turn goes together.
          await (options.lingerMs > 0 ? sleep(options.lingerMs) : setImmediate());
        }
        const sending = sendBatch(takeBatch());
        // Callers that were waiting hear of it when the next batch is on its way: what they do next then takes place
        // while the broker writes, not while it waits for us.
        if (answer !== nobody) await setImmediate();
        answer();
        answer = await sending;
      }
      answer();
    } finally {
      // In the same breath as the last look at the queue: a message queued any later must find no pump and start one.
      pump = undefined;
    }
  }

  function takeBatch(): Entry[] {
    let bytes = 0;
    let count = 0;
    while (count < queue.length) {
      bytes += queue[count]?.bytes ?? 0;
      if (count > 0 && bytes > options.maxBatchBytes) break;
      count += 1;
    }
    const taken = queue.slice(0, count);
    queue = queue.slice(count);
    for (const entry of taken) queuedBytes -= entry.bytes;
    let asked: Call | undefined;
    return taken.filter(({ call }) => {
      if (call !== asked && call.isValid?.() === false) settle(call, new Error("no longer valid"));
      asked = call;
      // Whoever has already been told "no" must not find it written after all.
      return !call.settled;
    });
  }

  /**
   * Never rejects. It settles the calls of a failed batch at once, before the next batch is taken, so that nothing later
   * of them is written. Resolves with a function that settles the calls of a successful one.
   */
  async function sendBatch(batch: readonly Entry[]): Promise<Answer> {
    if (batch.length === 0) return nobody;
    const groups = groupByPartition(batch);
    const topicMessages = toTopicMessages(groups);
    try {
      const results = await producer.sendBatch({ acks: -1, topicMessages });
      const answers = results.map(({ topicName, partition, baseOffset, logAppendTime }): Answer => {
        const key = groupKey(topicName, partition);
        const entries = groups.get(key) ?? [];
        groups.delete(key);
        const base = Number(baseOffset);
        const at = { topic: topicName, partition, recordedAt: timeOf(logAppendTime) };
        return () => {
          for (const [i, entry] of entries.entries()) done(entry, { ...at, offset: base + i });
        };
      });
      // kafkajs silently skips partitions that it does not know.
      for (const [key, entries] of groups) fail(entries, new Error(`no partition ${key}`));
      return () => {
        for (const answer of answers) answer();
      };
    } catch (error) {
      if (options.retries === 0) await untilSettled(topicMessages);
      fail(batch, error);
      return nobody;
    }
  }

  function fail(entries: readonly Entry[], error: unknown): void {
    log.warn({ err: messageOf(error), messages: entries.length }, "publish failed");
    for (const { call } of entries)
      settle(call, unavailable("the log did not take the message", RETRY_AFTER_MS, error));
  }

  function done(entry: Entry, position: Acknowledged): void {
    const { call } = entry;
    call.positions[entry.index] = position;
    call.left -= 1;
    if (call.left === 0) settle(call);
  }

  function settle(call: Call, error?: unknown): void {
    if (call.settled) return;
    call.settled = true;
    open.delete(call);
    if (error === undefined) call.resolve(call.positions);
    else call.reject(error);
  }

  /** What is on its way already does not count: a slow answer delays its own callers only. */
  function isStuck(): boolean {
    const [oldest] = queue;
    if (oldest === undefined || options.maxQueueMs === undefined) return false;
    const queuedAt = oldest.call.deadline - options.timeoutMs;
    return Date.now() - queuedAt > options.maxQueueMs;
  }

  function expire(): void {
    const now = Date.now();
    for (const call of open) {
      if (call.deadline > now) return;
      settle(call, unavailable("the log did not answer in time", RETRY_AFTER_MS));
    }
  }

  return {
    name: "publisher",
    partitionOf,

    async start() {
      await producer.connect();
      const admin = kafka.admin();
      await admin.connect();
      for (const topic of options.topics) partitionCounts.set(topic, (await offsetRanges(admin, topic)).length);
      await admin.disconnect();
      deadlines = setInterval(expire, 100);
    },

    async stop() {
      await pump;
      clearInterval(deadlines);
      await producer.disconnect();
    },

    publish(messages, isValid) {
      if (messages.length === 0) return Promise.resolve([]);
      const bytes = messages.reduce((sum, { value }) => sum + (value?.length ?? 0) + OVERHEAD_BYTES, 0);
      if (queuedBytes + bytes > options.maxQueueBytes || isStuck()) {
        return Promise.reject(unavailable("too many writes are waiting for the log", RETRY_AFTER_MS));
      }
      const { promise, resolve, reject } = Promise.withResolvers<Acknowledged[]>();
      const deadline = Date.now() + options.timeoutMs;
      const call: Call = { positions: [], left: messages.length, deadline, settled: false, isValid, resolve, reject };
      open.add(call);
      for (const [index, message] of messages.entries()) {
        const partition = message.partition === undefined ? partitionOf(message.topic, message.key) : message.partition;
        queue.push({ message, partition, bytes: (message.value?.length ?? 0) + OVERHEAD_BYTES, call, index });
      }
      queuedBytes += bytes;
      pump ??= sendAll();
      return promise;
    },
  };
}

/** Brokers say -1 where they do not set the time. */
const timeOf = (logAppendTime = "-1"): number | undefined =>
  logAppendTime === "-1" ? undefined : Number(logAppendTime);

const metadataCache = new Map<number, never[]>();

/** The default partitioner looks only at the number of partitions when there is a key. */
function metadataOf(count: number): never[] {
  let metadata = metadataCache.get(count);
  if (metadata === undefined) {
    metadata = Array.from({ length: count }, (_, partitionId) => ({ partitionId })) as never[];
    metadataCache.set(count, metadata);
  }
  return metadata;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
