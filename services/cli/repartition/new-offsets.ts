// Finds the copy of a message. Each copy names the offset of its original in a header, and the originals of one
// partition are in ascending order, so the copies themselves are the index.
import type { KafkaMessage } from "kafkajs";
import { COPIED_FROM } from "../../../schemas/headers.ts";
import type { LogFetcher } from "../../common/kafka/read/fetch-log.ts";

/** Offsets of an original and of its copy. */
export interface CopyPair {
  readonly original: number;
  readonly copy: number;
}

export interface NewOffsets {
  /** Must be called with each copy, in the order of a partition, before it is looked up. */
  assigned(partition: number, pair: CopyPair): void;
  /** Returns the newest copy of an original whose offset is not greater, in a partition of the new topic. */
  floor(partition: number, original: number): Promise<CopyPair | undefined>;
}

export interface NewOffsetsDeps {
  readonly fetcher: LogFetcher;
  /** Name of the new topic on the broker. */
  readonly topic: string;
  /** Resolves with the first and the end offset of a partition of it. */
  readonly range: (partition: number) => Promise<{ readonly low: number; readonly high: number }>;
}

/** Copies of a partition that are kept in memory. Most lookups are about messages that were copied a moment ago. */
const KEPT = 20_000;
/** A search in the log ends with a stretch of this many offsets, which is read. */
const STRETCH = 1_000;

export function createNewOffsets(deps: NewOffsetsDeps): NewOffsets {
  const recent = new Map<number, CopyPair[]>();
  const stretches = new Map<number, readonly CopyPair[]>();

  return {
    assigned(partition, pair) {
      const pairs = recent.get(partition) ?? [];
      pairs.push(pair);
      if (pairs.length >= 2 * KEPT) pairs.splice(0, KEPT);
      recent.set(partition, pairs);
    },

    async floor(partition, original) {
      const kept = recent.get(partition) ?? [];
      const found = floorIn(kept, original);
      if (found !== undefined) return found;
      const before = stretches.get(partition) ?? [];
      const last = before.at(-1);
      // Beyond the last pair of a stretch, the log may have a later copy.
      if (last !== undefined && original < last.original) {
        const within = floorIn(before, original);
        if (within !== undefined) return within;
      }
      const read = await search(deps, partition, original, kept[0]?.copy);
      stretches.set(partition, read);
      return floorIn(read, original);
    },
  };
}

function floorIn(pairs: readonly CopyPair[], original: number): CopyPair | undefined {
  let low = 0;
  let high = pairs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pairs[middle]?.original ?? Number.POSITIVE_INFINITY) <= original) low = middle + 1;
    else high = middle;
  }
  return pairs[low - 1];
}

/**
 * Resolves with the copies around the one that is wanted, and at least with the first one behind it if there is one.
 */
async function search(
  { fetcher, topic, range }: NewOffsetsDeps,
  partition: number,
  original: number,
  keptFrom: number | undefined,
): Promise<readonly CopyPair[]> {
  const whole = await range(partition);
  const end = keptFrom ?? whole.high;
  let low = whole.low;
  let high = end;
  while (high - low > STRETCH) {
    const middle = Math.floor((low + high) / 2);
    const { messages } = await fetcher.fetch({ topic, partition }, middle);
    const first = pairsOf(messages)[0];
    if (first !== undefined && first.original <= original && first.copy < high) low = first.copy;
    else high = middle;
  }
  const found: CopyPair[] = [];
  for (let at = low; at < end; ) {
    const { messages, next } = await fetcher.fetch({ topic, partition }, at);
    found.push(...pairsOf(messages));
    if (next === at || (found.at(-1)?.original ?? -1) > original) break;
    at = next;
  }
  return found;
}

function pairsOf(messages: readonly KafkaMessage[]): CopyPair[] {
  return messages.flatMap(({ headers, offset }) => {
    const from = headers?.[COPIED_FROM];
    if (from === undefined) return [];
    return [{ original: Number(String(from).split("/")[1]), copy: Number(offset) }];
  });
}
