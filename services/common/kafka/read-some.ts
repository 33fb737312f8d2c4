// Short reads outside any shared group: a whole small topic, or the last message of each partition.
import { randomUUID } from "node:crypto";
import type { Kafka, KafkaMessage } from "kafkajs";
import type { Log } from "../log.ts";
import { createGroupReader } from "./group-reader.ts";
import { type OffsetRange, offsetRanges } from "./offsets.ts";

export interface ReadMessage {
  readonly partition: number;
  readonly message: KafkaMessage;
}

interface ReadOptions {
  readonly kafka: Kafka;
  readonly groupPrefix: string;
  readonly topic: string;
  readonly log: Log;
}

/** Everything that is in the topic now, in log order per partition. For small topics. */
export function readAll(options: ReadOptions): Promise<ReadMessage[]> {
  return read(options, ({ low }) => low);
}

/** The newest message of each partition that has one. */
export function readLast(options: ReadOptions): Promise<ReadMessage[]> {
  return read(options, ({ high }) => high - 1);
}

async function read(options: ReadOptions, from: (range: OffsetRange) => number): Promise<ReadMessage[]> {
  const { kafka, topic, log } = options;
  const admin = kafka.admin();
  await admin.connect();
  const groupId = `${options.groupPrefix}.${randomUUID()}`;
  try {
    const left = new Map(
      (await offsetRanges(admin, topic)).filter(({ low, high }) => high > low).map((range) => [range.partition, range]),
    );
    if (left.size === 0) return [];
    const reader = createGroupReader({ kafka, groupId, topics: [topic], log, maxWaitMs: 10 });
    await reader.start();
    const found: ReadMessage[] = [];
    try {
      while (left.size > 0) {
        const { assigned, batches } = await reader.next(1_000);
        for (const id of assigned ?? []) {
          const range = left.get(id.partition);
          if (range !== undefined) await reader.begin(id, from(range));
        }
        for (const { partition, messages } of batches) {
          const end = left.get(partition)?.high;
          if (end === undefined) continue;
          for (const message of messages) if (Number(message.offset) < end) found.push({ partition, message });
          if (Number(messages.at(-1)?.offset) >= end - 1) left.delete(partition);
        }
      }
    } finally {
      await reader.stop();
    }
    await admin.deleteGroups([groupId]).catch((error) => log.debug({ err: error }, "group not removed"));
    return found;
  } finally {
    await admin.disconnect();
  }
}
