// Turns messages into the contents of one flush: rows, rejected messages, and the offsets of each partition that it
// covers.
import type { KafkaMessage } from "kafkajs";
import type { NamedKind } from "../../projections/history/kinds.ts";
import { createGathered, type Gathered } from "../../projections/history/rows/gather.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter } from "../../schemas/events.ts";
import { COPIED_FROM } from "../../schemas/headers.ts";
import { readChecked } from "../../schemas/read-message.ts";
import { MIB } from "../../schemas/units.ts";
import { retainedBytes } from "../common/kafka/internals/retained-bytes.ts";
import type { TakenBatch } from "../common/kafka/read/group-reader.ts";
import { addCause } from "../common/tracing/causes.ts";

/** Offsets `first` to `next` - 1. */
export interface ProjectedStretch {
  readonly topic: string;
  readonly partition: number;
  readonly first: number;
  next: number;
}

export interface Flush {
  readonly gathered: Gathered;
  readonly rejected: DeadLetter[];
  readonly stretches: Map<string, ProjectedStretch>;
  /** Bytes held by the messages in it. */
  bytes: number;
  /** Traces of the messages in it; always empty when tracing is off. */
  readonly causes: Set<string>;
}

export interface ProjectOptions {
  readonly codec: Codec;
  /** Topics by their name on the broker. */
  readonly topics: ReadonlyMap<string, NamedKind>;
  readonly bounds: EventBounds;
  /** No more messages are taken when the flush has this many rows. */
  readonly maxRows: number;
  /** Returns the rank base of a partition, by the topic's name on the broker; 0 unless its log replaced another. */
  readonly rankBase?: (topic: string, partition: number) => number;
}

/** No more messages are taken when the flush has this many bytes of them. Two flushes are in memory at a time. */
const MAX_FLUSH_BYTES = 32 * MIB;

export const createFlush = (): Flush => {
  return { gathered: createGathered(), rejected: [], stretches: new Map(), bytes: 0, causes: new Set() };
};

/**
 * Adds messages from index `start` on until the flush is full. Returns the index of the first message that was not
 * added.
 */
export function projectBatch(flush: Flush, batch: TakenBatch, start: number, options: ProjectOptions): number {
  const { topic, partition, messages, next } = batch;
  let taken = start;
  while (taken < messages.length && !isFull(flush, options.maxRows)) {
    const message = messages[taken];
    taken += 1;
    if (message === undefined) continue;
    projectMessage(flush, topic, partition, message, options);
    addCause(flush.causes, message.headers);
    flush.bytes += retainedBytes(message);
  }
  if (taken === messages.length) cover(flush.stretches, { topic, partition, first: next, next });
  return taken;
}

/** Approximate number of rows and dead letters. */
export const sizeOf = ({ gathered, rejected }: Flush): number => gathered.size() + rejected.length;

export const isFull = (flush: Flush, maxRows: number): boolean =>
  sizeOf(flush) >= maxRows || flush.bytes >= MAX_FLUSH_BYTES;

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
  // The letter of the original is copied, too.
  const isCopy = message.headers?.[COPIED_FROM] !== undefined;
  if (reason !== undefined && !isCopy) rejected.push(deadLetter(topic, partition, message, reason));
}

function kindOf(topics: ReadonlyMap<string, NamedKind>, topic: string): NamedKind {
  const kind = topics.get(topic);
  if (kind === undefined) throw new Error(`the history has nothing of ${topic}`);
  return kind;
}

function cover(stretches: Map<string, ProjectedStretch>, added: ProjectedStretch): void {
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
