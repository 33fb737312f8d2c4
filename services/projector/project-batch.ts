// Turns messages into what one flush stores: rows, rejected messages, and the stretch of each partition that it covers.
import type { KafkaMessage } from "kafkajs";
import { createGathered, type Gathered } from "../../projections/history/rows/gather.ts";
import { rebaseCameraLog, rebaseIntersection } from "../../projections/history/rows/rebase.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter } from "../../schemas/events.ts";
import { readCameraLog, readMessage } from "../../schemas/read-message.ts";
import type { Taken } from "../common/kafka/group-reader.ts";

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
  /** Of the messages in it. */
  bytes: number;
}

export interface ProjectOptions {
  readonly codec: Codec;
  /** Names on the broker. */
  readonly topics: { readonly cameraLog: string; readonly intersections: string };
  readonly bounds: EventBounds;
  /** Stop taking messages when the flush has this many rows. */
  readonly maxRows: number;
  /** Rank base of a camera-log partition; 0 unless its log took the place of another. */
  readonly rankBase?: (partition: number) => number;
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
    if (message !== undefined) projectMessage(flush, topic, partition, message, options);
    flush.bytes += message?.value?.length ?? 0;
    taken += 1;
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
  const reject = (reason: string) => rejected.push(deadLetter(topic, partition, message, reason));

  const base = rankBase(partition);
  const at = { partition, offset: base + offset, recordedAt };
  if (topic === topics.cameraLog) {
    const read = readCameraLog(codec, message.value, recordedAt, bounds);
    if (read.ok) gathered.addCameraLog(rebaseCameraLog(read.message, base), at);
    const reason = read.ok ? read.leftOut : read.reason;
    if (reason !== undefined) reject(reason);
    return;
  }
  const change = readMessage(codec, "zone-intersections", message.value);
  if (change.ok) gathered.addIntersection(rebaseIntersection(change.event, rankBase(change.event.cause.partition)), at);
  else reject(change.reason);
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
