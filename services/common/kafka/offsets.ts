import type { Admin } from "kafkajs";
import { loop } from "../loop.ts";

export interface OffsetRange {
  readonly partition: number;
  /** First offset still kept. */
  readonly low: number;
  /** Offset that the next message will get. */
  readonly high: number;
}

const ATTEMPTS = 10;
const PAUSE_MS = 200;

/**
 * By partition, in order. `high` is the end for readers: an unfinished transaction, and everything written after it,
 * lies beyond.
 */
export async function offsetRanges(admin: Admin, topic: string): Promise<OffsetRange[]> {
  const offsets = await whileRetriable(() => admin.fetchTopicOffsets(topic));
  return offsets
    .map(({ partition, low, high }) => ({ partition, low: Number(low), high: Number(high) }))
    .sort((a, b) => a.partition - b.partition);
}

/** A partition that was just created, or whose leader moves, has no leader to ask for a moment. */
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
