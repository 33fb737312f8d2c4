// The newest log messages of a topic with their messages for subscribers, in the order in which this instance took
// them. A client that resumes within them needs no read of the log.
import type { FeedMessage } from "../../../projections/feed/kind.ts";

/** A message of the log and the subscribers' messages that derive from it. */
export interface RecentMessage {
  readonly partition: number;
  readonly offset: number;
  /** Size of the message in the log. */
  readonly bytes: number;
  readonly messages: readonly FeedMessage[];
}

/**
 * Heap that messages take per byte in the log. Measured: detections of 130 bytes in the log, with a polygon of five
 * points, take 0.9 kB of heap as messages.
 */
const HEAP_PER_LOG_BYTE = 8;
/** Heap of an entry without messages, measured. */
const ENTRY_BYTES = 100;

/** An estimate of the entry's heap. */
const weigh = ({ bytes, messages }: RecentMessage): number =>
  ENTRY_BYTES + (messages.length === 0 ? 0 : bytes * HEAP_PER_LOG_BYTE);

export interface Recent {
  push(entry: RecentMessage): void;
  /** Entries are numbered from 0 in the order of push. */
  at(number: number): RecentMessage | undefined;
  /** Number of the oldest kept entry, and of the next one. */
  readonly first: number;
  readonly end: number;
  /** @returns true when everything from these offsets on, by partition, is kept. */
  covers(next: readonly number[]): boolean;
}

export interface RecentLimits {
  readonly maxMessages: number;
  /** Bytes of heap. */
  readonly maxBytes: number;
}

/** `starts` has the offset of the first message that will be pushed, by partition. */
export function createRecent(starts: readonly number[], { maxMessages, maxBytes }: RecentLimits): Recent {
  const lows = [...starts];
  let entries: RecentMessage[] = [];
  /** Index in `entries` of the oldest kept one. Those before it are removed from the array together, now and then. */
  let head = 0;
  let first = 0;
  let bytes = 0;

  function drop(): void {
    const oldest = entries[head];
    if (oldest === undefined) return;
    lows[oldest.partition] = oldest.offset + 1;
    bytes -= weigh(oldest);
    head += 1;
    first += 1;
    if (head < 1_024 || head * 2 < entries.length) return;
    entries = entries.slice(head);
    head = 0;
  }

  return {
    get first() {
      return first;
    },
    get end() {
      return first + entries.length - head;
    },
    at: (number) => (number < first ? undefined : entries[head + number - first]),
    push(entry) {
      entries.push(entry);
      bytes += weigh(entry);
      while (entries.length - head > maxMessages || bytes > maxBytes) drop();
    },
    covers: (next) => lows.every((low, partition) => (next[partition] ?? 0) >= low),
  };
}
