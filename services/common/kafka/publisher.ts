// Gathers messages for a moment and sends them as one request: kafkajs has no linger of its own. One request is in
// flight at a time, and its outcome is known before the next is sent, so the order of calls is the order in the log.
import { setImmediate } from "node:timers/promises";
import type { Kafka, Producer, RecordMetadata } from "kafkajs";
import { unavailable } from "../../../schemas/errors.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { pause } from "../loop.ts";
import { askBeforeWrite, untilSettled, watchRequests } from "./in-flight.ts";
import { countPartitions } from "./offsets.ts";
import { createPartitionOf } from "./partition-of.ts";
import { type Calls, createCalls, createPublishQueue, type Entry, RETRY_AFTER_MS } from "./publish-queue.ts";
import { groupByPartition, groupKey, type OutMessage, toTopicMessages } from "./topic-messages.ts";

export type { OutMessage } from "./topic-messages.ts";

/** Position of a message in the log; `topic` is the name on the broker. */
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
   * is full, or the log refused or did not answer in time; messages may have arrived then, or still arrive, so the
   * caller must be able to repeat them. In each partition the messages that arrive are the first of those given: after
   * a failure no later one is written. `isValid` is asked when the messages are taken to be sent, and again right before
   * the request is written to the socket. When it is false, nothing is written and the promise rejects; messages of
   * other callers in the same request are UNAVAILABLE.
   */
  publish(messages: readonly OutMessage[], isValid?: () => boolean): Promise<Acknowledged[]>;
  partitionOf(topic: string, key: string): number;
  /** How many partitions the topic has. */
  partitionsOf(topic: string): number;
}

export interface PublisherOptions {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  readonly log: Log;
  /** How long a lone message waits for others to share its request. */
  readonly lingerMs: number;
  readonly maxBatchBytes: number;
  /** Beyond this many queued bytes callers are refused: the queue is the only place where memory could grow. */
  readonly maxQueueBytes: number;
  /** Callers are refused as well while a message has waited this long to be sent; without it, any wait is allowed. */
  readonly maxQueueMs?: number;
  readonly timeoutMs: number;
  /**
   * How often an unacknowledged request is sent again, by default 8 times; its messages may then be in the log twice.
   * With 0 the caller hears of a failure only when no broker is still writing, so that it can look up what was written.
   */
  readonly retries?: number;
}

type Answer = () => void;

const nobody: Answer = () => undefined;

const OVERHEAD_BYTES = 100;

export function createPublisher(options: PublisherOptions): Publisher {
  const { kafka, topics } = options;
  watchRequests();
  const partitionCounts = new Map<string, number>();
  const partitionOf = createPartitionOf(partitionCounts);
  const producer = createProducer(options);
  const calls = createCalls(options);
  const queue = createPublishQueue(options);
  const sender = createSender({ producer, calls, tellWhenSettled: options.retries === 0 });
  let pump: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    let answer: Answer = nobody;
    try {
      while (!queue.isEmpty()) {
        if (!queue.fillsBatch()) {
          answer();
          answer = nobody;
          // Messages published in the same turn go together at least.
          await (options.lingerMs > 0 ? pause(options.lingerMs) : setImmediate());
        }
        const sending = sender.send(calls.toSend(queue.takeBatch()));
        // Callers get their answers when the next batch is on its way: their next work is then done while the broker
        // writes, not while it waits for us.
        if (answer !== nobody) await setImmediate();
        answer();
        answer = await sending;
      }
      answer();
    } finally {
      // Set in the turn of the last look at the queue: a message queued any later must find no pump and start one.
      pump = undefined;
    }
  }

  function enqueue(messages: readonly OutMessage[], isValid: (() => boolean) | undefined): Promise<Acknowledged[]> {
    const call = calls.open(messages.length, isValid);
    for (const [index, message] of messages.entries()) {
      const partition = message.partition === undefined ? partitionOf(message.topic, message.key) : message.partition;
      queue.push({ message, partition, bytes: bytesOf(message), call, index });
    }
    pump ??= sendAll();
    return call.answer;
  }

  return {
    name: "publisher",
    partitionOf,
    partitionsOf(topic) {
      const count = partitionCounts.get(topic);
      if (count === undefined) throw new Error(`publisher does not know topic ${topic}`);
      return count;
    },

    async start() {
      await producer.connect();
      await countAll(kafka, topics, partitionCounts);
      calls.start();
    },

    async stop() {
      await pump;
      calls.stop();
      await producer.disconnect();
    },

    publish(messages, isValid) {
      if (messages.length === 0) return Promise.resolve([]);
      const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
      if (queue.hasRoom(bytes)) return enqueue(messages, isValid);
      return Promise.reject(unavailable("too many writes are waiting for the log", RETRY_AFTER_MS));
    },
  };
}

const bytesOf = ({ key, value }: OutMessage): number => (key?.length ?? 0) + (value?.length ?? 0) + OVERHEAD_BYTES;

const createProducer = ({ kafka, retries }: PublisherOptions): Producer =>
  kafka.producer({
    // Every message comes with its partition; kafkajs asks all the same.
    createPartitioner:
      () =>
      ({ message: { partition } }) =>
        partition ?? 0,
    allowAutoTopicCreation: false,
    maxInFlightRequests: 1,
    ...(retries === undefined ? {} : { retry: { retries } }),
  });

async function countAll(kafka: Kafka, topics: readonly string[], counts: Map<string, number>): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  for (const topic of topics) counts.set(topic, await countPartitions(admin, topic));
  await admin.disconnect();
}

interface SenderOptions {
  readonly producer: Producer;
  readonly calls: Calls;
  /** Callers hear of a failure when no broker is writing any of it any more. */
  readonly tellWhenSettled: boolean;
}

function createSender({ producer, calls, tellWhenSettled }: SenderOptions) {
  /** Takes what was acknowledged out of the groups. */
  function answerOf(result: RecordMetadata, groups: Map<string, Entry[]>): Answer {
    const { topicName: topic, partition, baseOffset, logAppendTime } = result;
    const key = groupKey(topic, partition);
    const entries = groups.get(key) ?? [];
    groups.delete(key);
    const base = Number(baseOffset);
    const at = { topic, partition, recordedAt: timeOf(logAppendTime) };
    return () => {
      for (const [i, entry] of entries.entries()) calls.acknowledge(entry, { ...at, offset: base + i });
    };
  }

  return {
    /**
     * Never rejects. It settles the calls of a failed batch at once, before the next batch is taken, so that none of
     * their later messages is written. Resolves with a function that settles the calls of a successful one.
     */
    async send(batch: readonly Entry[]): Promise<Answer> {
      if (batch.length === 0) return nobody;
      const groups = groupByPartition(batch);
      const topicMessages = toTopicMessages(groups);
      if (calls.mayEnd(batch)) askBeforeWrite(topicMessages, () => calls.areValid(batch));
      try {
        const results = await producer.sendBatch({ acks: -1, topicMessages });
        const answers = results.map((result) => answerOf(result, groups));
        // Requests leave out the partitions that have no leader, or that kafkajs does not know.
        for (const [key, entries] of groups) calls.fail(entries, new Error(`no broker leads ${key}`));
        return () => {
          for (const answer of answers) answer();
        };
      } catch (error) {
        if (tellWhenSettled) await untilSettled(topicMessages);
        calls.fail(batch, error);
        return nobody;
      }
    },
  };
}

/** Brokers say -1 where they do not set the time. */
const timeOf = (logAppendTime = "-1"): number | undefined =>
  logAppendTime === "-1" ? undefined : Number(logAppendTime);
