// Turns messages into what one flush stores: rows, rejected messages, and the stretch of each partition that it covers.
import type { KafkaMessage } from "kafkajs";
import type { NamedKind } from "../../projections/history/kinds.ts";
import { createGathered, type Gathered } from "../../projections/history/rows/gather.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter } from "../../schemas/events.ts";
import { readChecked } from "../../schemas/read-message.ts";
import type { Taken } from "../common/kafka/group-reader.ts";
import { heldBytes } from "../common/kafka/held-bytes.ts";

/** Offsets first to next - 1. */
export interface Stretch {
  readonly topic: string;
  readonly partition: number;
  readonly first: number;
  next: number;
}

export interface Flush {
  readonly gathered: Gathered;
  readonly rejected: DeadLetter[];
  readonly stretches: Map<string, Stretch>;
  /** Held by the messages in it. */
  bytes: number;
}

export interface ProjectOptions {
  readonly codec: Codec;
  /** By name on the broker. */
  readonly topics: ReadonlyMap<string, NamedKind>;
  readonly bounds: EventBounds;
  /** Stop taking messages when the flush has this many rows. */
  readonly maxRows: number;
  /** Rank base of a partition, by the topic's name on the broker; 0 unless its log took the place of another. */
  readonly rankBase?: (topic: string, partition: number) => number;
}

/** Stop taking messages when the flush has this many bytes of them. Two flushes are in memory at a time. */
const MAX_FLUSH_BYTES = 32 * 1024 * 1024;

export const createFlush = (): Flush => {
  return { gathered: createGathered(), rejected: [], stretches: new Map(), bytes: 0 };
};

/** Adds messages from number `start` on; returns the number of the first one that found no room. */
export function projectBatch(flush: Flush, batch: Taken, start: number, options: ProjectOptions): number {
  const { topic, partition, messages, next } = batch;
  let taken = start;
  while (taken < messages.length && !isFull(flush, options.maxRows)) {
    const message = messages[taken];
    taken += 1;
    if (message === undefined) continue;
    projectMessage(flush, topic, partition, message, options);
    flush.bytes += heldBytes(message);
  }
  if (taken === messages.length) cover(flush.stretches, { topic, partition, first: next, next });
  return taken;
}

export const isFull = ({ gathered, rejected, bytes }: Flush, maxRows: number): boolean =>
  gathered.size() + rejected.length >= maxRows || bytes >= MAX_FLUSH_BYTES;

function projectMessage(
  { gathered, rejected, stretches }: Flush,
  topic: string,
  partition: number,
  message: KafkaMessage,
  { codec, topics, bounds, rankBase = () => 0 }: ProjectOptions,
): void {
  const offset = Number(message.offset);
  const recordedAt = Number(message.timestamp);
  cover(stretches, { topic, partition, first: offset, next: offset + 1 });
  const { kind, rankedBy } = kindOf(topics, topic);
  const baseOf = (ranking: number) => rankBase(rankedBy, ranking);
  const read = readChecked(codec, { topic: kind.topic, value: message.value, recordedAt, partition, bounds });
  if (read.ok) {
    const event = kind.rebase?.(read.message, partition, baseOf) ?? read.message;
    gathered.add(event, { partition, offset: baseOf(partition) + offset, recordedAt });
  }
  const reason = read.ok ? read.leftOut : read.reason;
  if (reason !== undefined) rejected.push(deadLetter(topic, partition, message, reason));
}

function kindOf(topics: ReadonlyMap<string, NamedKind>, topic: string): NamedKind {
  const kind = topics.get(topic);
  if (kind === undefined) throw new Error(`the history has nothing of ${topic}`);
  return kind;
}

function cover(stretches: Map<string, Stretch>, added: Stretch): void {
  const key = `${added.topic}/${added.partition}`;
  const stretch = stretches.get(key);
  if (stretch === undefined) stretches.set(key, added);
  else stretch.next = added.next;
}

function deadLetter(topic: string, partition: number, message: KafkaMessage, reason: string): DeadLetter {
  const offset = Number(message.offset);
  return {
    id: `${topic}/${partition}/${offset}`,
    topic,
    partition,
    offset,
    reason,
    key: message.key,
    value: message.value,
    recordedAt: Number(message.timestamp),
  };
}
