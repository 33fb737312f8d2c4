// Finite reads outside any shared group: a whole topic, or the last messages of each partition.
import { randomUUID } from "node:crypto";
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Log } from "../../log.ts";
import { NoLeader, type OffsetRange, offsetRanges, offsetsSince } from "../offsets.ts";
import { createUnmeasuredReader, type GroupReader } from "./group-reader.ts";

export interface ReadMessage {
  readonly partition: number;
  readonly message: KafkaMessage;
}

interface ReadOptions {
  readonly kafka: Kafka;
  readonly groupPrefix: string;
  readonly topic: string;
  /** All partitions by default. Rejects when one of them has no leader. */
  readonly partitions?: readonly number[];
  readonly log: Log;
}

/** Cuts the range that a partition holds now to the part to read; empty when high is not above low. */
type Cut = (range: OffsetRange) => OffsetRange;

const whole: Cut = (range) => range;
/** The newest `count` messages of each partition. */
export const newest =
  (count: number): Cut =>
  ({ partition, low, high }) => ({ partition, low: Math.max(low, high - count), high });

/** Reads everything that is in the topic now, in log order per partition. For small topics. @internal */
export function readAll(options: ReadOptions): Promise<ReadMessage[]> {
  return gather(readEach(options));
}

/** Reads the newest `count` messages of each partition, or fewer when it has fewer. */
export function readLast(options: ReadOptions, count: number): Promise<ReadMessage[]> {
  return gather(readEach(options, newest(count)));
}

/** Resolves with the first offsets since then of the partitions that have a leader. */
export async function startsSince(kafka: Kafka, topic: string, since: number): Promise<ReadonlyMap<number, number>> {
  const admin = kafka.admin();
  await admin.connect();
  return offsetsSince(admin, topic, since, []).finally(() => admin.disconnect());
}

/**
 * Reads, from each partition, the first message that is not older than `since` (ms), and all later ones that are in the
 * topic now.
 */
export async function* readSince(options: ReadOptions, since: number): AsyncGenerator<ReadMessage, void> {
  const first = await startsSince(options.kafka, options.topic, since);
  yield* readEach(options, ({ partition, low, high }) => ({
    partition,
    low: Math.max(low, first.get(partition) ?? low),
    high,
  }));
}

/**
 * Reads every message that is in the topic now, once, in log order per partition. Memory holds no more than a fetch or
 * two: the next fetch waits until the caller has taken these messages.
 */
export async function* readEach(options: ReadOptions, cut: Cut = whole): AsyncGenerator<ReadMessage, void> {
  const { kafka, topic, partitions, log } = options;
  const admin = kafka.admin();
  await admin.connect();
  const groupId = `${options.groupPrefix}.${randomUUID()}`;
  try {
    const wanted = (await offsetRanges(admin, topic, partitions)).map(cut).filter(({ low, high }) => high > low);
    if (wanted.length === 0) return;
    const reader = createUnmeasuredReader({ kafka, groupId, topics: [topic], log, maxWaitMs: 10, inboxMessages: 1 });
    try {
      await reader.start();
      yield* take(reader, wanted);
    } finally {
      await reader.stop();
      await admin.deleteGroups([groupId]).catch((error) => log.debug({ err: error }, "group not removed"));
    }
  } finally {
    await admin.disconnect();
  }
}

async function* take(reader: GroupReader, wanted: readonly OffsetRange[]): AsyncGenerator<ReadMessage, void> {
  /** Ranges that must still be read, by partition. */
  const left = new Map(wanted.map((range) => [range.partition, range]));
  while (left.size > 0) {
    const { assigned, batches } = await reader.next(1_000);
    const starts = (assigned ?? []).flatMap(({ topic, partition }) => {
      const range = left.get(partition);
      return range === undefined ? [] : [{ topic, partition, offset: range.low }];
    });
    for (const [i, offset] of (await reader.begin(starts)).entries()) {
      const { topic = "", partition = -1 } = starts[i] ?? {};
      if (offset === undefined) throw new NoLeader(topic, [partition]);
      // Retention may have removed the whole range meanwhile; then no message would ever come.
      if (offset >= (left.get(partition)?.high ?? 0)) left.delete(partition);
    }
    for (const { partition, messages, next } of batches) {
      const range = left.get(partition);
      if (range === undefined) continue;
      for (const message of messages) if (Number(message.offset) < range.high) yield { partition, message };
      if (next < range.high) left.set(partition, { ...range, low: next });
      else left.delete(partition);
    }
  }
}

async function gather(messages: AsyncIterable<ReadMessage>): Promise<ReadMessage[]> {
  const found: ReadMessage[] = [];
  for await (const message of messages) found.push(message);
  return found;
}
