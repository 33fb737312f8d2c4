// Gathers messages for a moment and sends them as one request: kafkajs has no linger of its own. One request is in
// flight at a time, and its outcome is known before the next is sent, so the order of calls is the order in the log.
import { setImmediate } from "node:timers/promises";
import type { Kafka, Producer } from "kafkajs";
import { unavailable } from "../../../../schemas/errors.ts";
import type { Part } from "../../lifecycle.ts";
import type { Log } from "../../log.ts";
import { pause } from "../../loop.ts";
import { publishQueueBytes } from "../../metrics/kafka.ts";
import { tracing } from "../../tracing/tracing.ts";
import { watchRequests } from "../internals/in-flight.ts";
import { countPartitions } from "../offsets.ts";
import { createPartitionOf } from "../partition-of.ts";
import { type Calls, createCalls } from "./calls.ts";
import { createPublishQueue, type PublishQueue } from "./publish-queue.ts";
import { publishTraced } from "./publish-traced.ts";
import { type Answer, answerNobody, createSender, type Sender } from "./sender.ts";
import type { Acknowledged, OutMessage } from "./topic-messages.ts";

export type { Acknowledged, OutMessage } from "./topic-messages.ts";

export interface Publisher extends Part {
  /**
   * Resolves, in the order given, when all in-sync replicas have every message. Rejects with UNAVAILABLE when the queue
   * is full, or when the log refused or did not answer in time; messages may have arrived then, or still arrive, so the
   * caller must be able to repeat them. In each partition the messages that arrive are the first of those given: after
   * a failure no later one is written. `isValid` is called when the messages are taken to be sent, and again right
   * before the request is written to the socket. When it returns false, nothing is written and the promise rejects;
   * messages of other callers in the same request reject with UNAVAILABLE.
   */
  publish(messages: readonly OutMessage[], isValid?: () => boolean): Promise<Acknowledged[]>;
  partitionOf(topic: string, key: string): number;
  partitionsOf(topic: string): number;
}

export interface PublisherOptions {
  readonly kafka: Kafka;
  readonly topics: readonly string[];
  readonly log: Log;
  /** Milliseconds for which a lone message waits for others to share its request. */
  readonly lingerMs: number;
  readonly maxBatchBytes: number;
  /** Beyond this many queued bytes callers are refused: the queue is the only place where memory could grow. */
  readonly maxQueueBytes: number;
  /** Callers are also refused while a message has waited this long to be sent; without it, any wait is allowed. */
  readonly maxQueueMs?: number;
  readonly timeoutMs: number;
  /**
   * Number of retries of an unacknowledged request, by default 8; its messages may then be in the log twice. With 0 the
   * caller receives a failure only when no broker is still writing, so that it can look up the written messages.
   */
  readonly retries?: number;
}

const OVERHEAD_BYTES = 100;

export function createPublisher(options: PublisherOptions): Publisher {
  const { kafka, topics } = options;
  watchRequests();
  const partitionCounts = new Map<string, number>();
  const partitionOf = createPartitionOf(partitionCounts);
  const producer = createProducer(options);
  const calls = createCalls(options);
  const queue = createPublishQueue(options);
  const sender = createSender({ producer, calls, rejectWhenSettled: options.retries === 0 });
  const pump = createPump({ lingerMs: options.lingerMs, calls, queue, sender });
  let endObserving = (): void => undefined;

  function enqueue(messages: readonly OutMessage[], isValid: (() => boolean) | undefined): Promise<Acknowledged[]> {
    const call = calls.open(messages.length, isValid);
    for (const [index, message] of messages.entries()) {
      const partition = message.partition === undefined ? partitionOf(message.topic, message.key) : message.partition;
      queue.push({ message, partition, bytes: bytesOf(message), call, index });
    }
    pump.start();
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
      endObserving = publishQueueBytes.observe(() => [[{}, queue.bytes()]]);
    },

    async stop() {
      await pump.ended();
      endObserving();
      calls.stop();
      await producer.disconnect();
    },

    publish(messages, isValid) {
      if (messages.length === 0) return Promise.resolve([]);
      const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
      if (!queue.hasCapacity(bytes)) return Promise.reject(unavailable("too many writes are waiting for the log"));
      if (tracing === undefined) return enqueue(messages, isValid);
      return publishTraced(messages, (sent) => enqueue(sent, isValid), tracing);
    },
  };
}

interface PumpOptions {
  readonly lingerMs: number;
  readonly calls: Calls;
  readonly queue: PublishQueue;
  readonly sender: Sender;
}

/** Empties the queue, one request after the other. */
function createPump({ lingerMs, calls, queue, sender }: PumpOptions) {
  let running: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    let answer: Answer = answerNobody;
    try {
      while (!queue.isEmpty()) {
        if (!queue.fillsBatch()) {
          answer();
          answer = answerNobody;
          // At least the messages published in the same turn go together.
          await (lingerMs > 0 ? pause(lingerMs) : setImmediate());
        }
        const sending = sender.send(calls.toSend(queue.takeBatch()));
        // Callers get their answers when the next batch is under way: their next work is then done while the broker
        // writes, not while it waits for us.
        if (answer !== answerNobody) await setImmediate();
        answer();
        answer = await sending;
      }
      answer();
    } finally {
      // Must be reset in the turn of the last check of the queue, so that a later message starts a new run.
      running = undefined;
    }
  }

  return {
    /** Must be called after a message was queued. */
    start(): void {
      running ??= sendAll();
    },
    /** Resolves when the queue is empty and its last request is answered. */
    ended: async (): Promise<void> => running,
  };
}

const bytesOf = ({ key, value }: OutMessage): number => (key?.length ?? 0) + (value?.length ?? 0) + OVERHEAD_BYTES;

const createProducer = ({ kafka, retries }: PublisherOptions): Producer =>
  kafka.producer({
    // Every message comes with its partition, but kafkajs calls the partitioner all the same.
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
