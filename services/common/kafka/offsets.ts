import type { Admin } from "kafkajs";
import { loop } from "../loop.ts";

export interface OffsetRange {
  readonly partition: number;
  /** First offset that the log still has. */
  readonly low: number;
  /** Offset that the next message will get. */
  readonly high: number;
}

const ATTEMPTS = 10;
const PAUSE_MS = 200;

/** Thrown when a partition has no leader. kafkajs calls an error retriable when it may be over a moment later. */
export class NoLeader extends Error {
  override readonly name = "NoLeader";
  readonly retriable = true;

  constructor(topic: string, partitions: readonly number[]) {
    super(`no broker leads ${topic}/${partitions.join()}`);
  }
}

/**
 * Resolves with the ranges in order of the partitions; rejects while one of the wanted partitions, by default all, has
 * no leader. `high` is the end for readers: an unfinished transaction, and every message written after it, lies beyond.
 */
export function offsetRanges(admin: Admin, topic: string, partitions?: readonly number[]): Promise<OffsetRange[]> {
  return whileRetriable(async () => {
    const wanted = new Set(partitions ?? (await partitionsOf(admin, topic)).map(({ partitionId }) => partitionId));
    const ranges = (await rangesNow(admin, topic)).filter(({ partition }) => wanted.has(partition));
    const known = new Set(ranges.map(({ partition }) => partition));
    const missing = [...wanted].filter((partition) => !known.has(partition));
    if (missing.length > 0) throw new NoLeader(topic, missing);
    return ranges;
  });
}

/** Resolves with the ranges of the partitions that have a leader. */
export const ledRanges = (admin: Admin, topic: string): Promise<OffsetRange[]> =>
  whileRetriable(() => rangesNow(admin, topic));

/**
 * Resolves with the offset, by partition, of the first message that is not older than `timeMs`, or else of the end.
 * Rejects while one of the wanted partitions has no leader; other partitions without a leader are left out.
 */
export function offsetsSince(admin: Admin, topic: string, timeMs: number, wanted: readonly number[]) {
  return whileRetriable(async (): Promise<ReadonlyMap<number, number>> => {
    // A broker takes a time before 1970 for a question about the ends of the log.
    const found = await admin.fetchTopicOffsetsByTimestamp(topic, Math.max(0, timeMs));
    const known = new Map(found.map(({ partition, offset }) => [partition, Number(offset)]));
    const missing = wanted.filter((partition) => !known.has(partition));
    if (missing.length > 0) throw new NoLeader(topic, missing);
    return known;
  });
}

/** Resolves with the numbers of the partitions that have a leader in each of the topics. */
export async function ledInAll(admin: Admin, topics: readonly string[]): Promise<ReadonlySet<number>> {
  const led = await Promise.all(
    topics.map(async (topic) => {
      const partitions = await whileRetriable(() => partitionsOf(admin, topic));
      return new Set(partitions.filter(({ leader }) => leader >= 0).map(({ partitionId }) => partitionId));
    }),
  );
  const [first = new Set<number>(), ...others] = led;
  return new Set([...first].filter((partition) => others.every((each) => each.has(partition))));
}

export const countPartitions = async (admin: Admin, topic: string): Promise<number> =>
  (await whileRetriable(() => partitionsOf(admin, topic))).length;

async function partitionsOf(admin: Admin, topic: string) {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  return topics.flatMap(({ partitions }) => partitions);
}

async function rangesNow(admin: Admin, topic: string): Promise<OffsetRange[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets
    .map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
    .sort((a, b) => a.partition - b.partition);
}

/** Retries for a while: a partition that was just created, or whose leader moves, has no leader for a moment. */
export async function whileRetriable<T>(ask: () => Promise<T>): Promise<T> {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    try {
      return { answer: await ask() };
    } catch (error) {
      const worthwhile = error instanceof Error && "retriable" in error && error.retriable === true;
      if (!worthwhile || attempts === ATTEMPTS) throw error;
      return undefined;
    }
  };
  return (await loop(attempt, { pauseMs: PAUSE_MS })).answer;
}
