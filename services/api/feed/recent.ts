// The newest log messages of a topic with the subscribers' messages that they gave, in the order in which this instance
// took them. A client that resumes within them needs no read of the log.
import type { FeedMessage } from "../../../projections/feed/kind.ts";

/** A message of the log and the messages that it gives to subscribers. */
export interface Entry {
  readonly partition: number;
  readonly offset: number;
  /** Size of the message in the log; an estimate for the size of `messages`. */
  readonly bytes: number;
  readonly messages: readonly FeedMessage[];
}

export interface Recent {
  push(entry: Entry): void;
  /** Entries are numbered from 0 in the order of push. */
  at(number: number): Entry | undefined;
  /** Number of the oldest kept entry, and of the next one. */
  readonly first: number;
  readonly end: number;
  /** Whether everything from these offsets on, by partition, is kept. */
  covers(next: readonly number[]): boolean;
}

export interface RecentLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
}

/** `starts`: by partition, the offset of the first message that will be pushed. */
export function createRecent(starts: readonly number[], { maxMessages, maxBytes }: RecentLimits): Recent {
  const lows = [...starts];
  let entries: Entry[] = [];
  /** Index in `entries` of the oldest kept one; those before it are dropped all at once. */
  let head = 0;
  let first = 0;
  let bytes = 0;

  function drop(): void {
    const oldest = entries[head];
    if (oldest === undefined) return;
    lows[oldest.partition] = oldest.offset + 1;
    bytes -= oldest.bytes;
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
      bytes += entry.bytes;
      while (entries.length - head > maxMessages || bytes > maxBytes) drop();
    },
    covers: (next) => lows.every((low, partition) => (next[partition] ?? 0) >= low),
  };
}
