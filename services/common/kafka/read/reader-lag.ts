// How far the owner of a reader is behind each partition's end.
import { lagMessages, lagSeconds } from "../../metrics/kafka.ts";
import type { GroupReader } from "./group-reader.ts";
import type { PartitionId } from "./inbox.ts";

/** Messages that the owner has taken and not finished. */
interface UnfinishedBatch {
  /** Time of the first message, ms. */
  readonly recordedAt: number;
  next: number;
}

interface PartitionLag {
  readonly id: PartitionId;
  finished: number;
  highWatermark: number;
  readonly unfinished: UnfinishedBatch[];
}

/** The messages of a batch, as far as the lag depends on them. */
interface MeasuredBatch extends PartitionId {
  readonly messages: readonly { readonly timestamp: string }[];
  readonly next: number;
  readonly highWatermark: number;
}

/** A longer list is not more exact: the last entry then stands for all later batches. */
const MOST_BATCHES = 1_000;

export interface ReaderLag {
  /** Begins with a partition at the offset. */
  begun(id: PartitionId, offset: number): void;
  taken(batches: readonly MeasuredBatch[]): void;
  /** The owner has finished everything before `next`. */
  finished(positions: readonly (PartitionId & { readonly next: number })[]): void;
  /** Forgets all partitions: the group assigns them anew. */
  reset(): void;
  /** Must be called once, at the end: Prometheus then asks no longer. */
  close(): void;
}

export function createReaderLag(group: string, now: () => number = Date.now): ReaderLag {
  const partitions = new Map<string, PartitionLag>();
  const labels = ({ id }: PartitionLag) => ({ group, topic: id.topic, partition: id.partition });
  let closing: readonly (() => void)[] | undefined;

  /** A reader whose start fails begins nothing, and nobody stops it: it must not stay here. */
  const observe = () => [
    lagMessages.observe(() => Array.from(partitions.values(), (lag) => [labels(lag), missingMessages(lag)] as const)),
    lagSeconds.observe(() => Array.from(partitions.values(), (lag) => [labels(lag), ageOf(lag, now())] as const)),
  ];

  return {
    begun(id, offset) {
      closing ??= observe();
      partitions.set(keyOf(id), { id, finished: offset, highWatermark: offset, unfinished: [] });
    },

    taken(batches) {
      for (const batch of batches) {
        const lag = partitions.get(keyOf(batch));
        if (lag === undefined) continue;
        lag.highWatermark = batch.highWatermark;
        const [first] = batch.messages;
        const newest = lag.unfinished.at(-1);
        if (first === undefined) continue;
        if (newest !== undefined && lag.unfinished.length >= MOST_BATCHES) newest.next = batch.next;
        else lag.unfinished.push({ recordedAt: Number(first.timestamp), next: batch.next });
      }
    },

    finished(positions) {
      for (const { next, ...id } of positions) {
        const lag = partitions.get(keyOf(id));
        if (lag === undefined) continue;
        lag.finished = next;
        const open = lag.unfinished.findIndex((batch) => batch.next > next);
        lag.unfinished.splice(0, open === -1 ? lag.unfinished.length : open);
      }
    },

    reset: () => partitions.clear(),

    close() {
      for (const close of closing ?? []) close();
    },
  };
}

/** Returns the same reader, which tells the lag what its owner does. */
export const measured = (reader: GroupReader, lag: ReaderLag): GroupReader => ({
  ...reader,

  async next(idleMs, isReady) {
    const step = await reader.next(idleMs, isReady);
    if (step.assigned !== undefined) lag.reset();
    lag.taken(step.batches);
    return step;
  },

  async begin(starts) {
    const begun = await reader.begin(starts);
    for (const [i, { topic, partition }] of starts.entries()) {
      const offset = begun[i];
      if (offset !== undefined) lag.begun({ topic, partition }, offset);
    }
    return begun;
  },

  commit(positions) {
    lag.finished(positions);
    return reader.commit(positions);
  },

  async stop() {
    lag.close();
    await reader.stop();
  },
});

const missingMessages = ({ finished, highWatermark }: PartitionLag): number => Math.max(0, highWatermark - finished);

const ageOf = ({ unfinished: [oldest] }: PartitionLag, now: number): number =>
  oldest === undefined ? 0 : Math.max(0, now - oldest.recordedAt) / 1_000;

const keyOf = ({ topic, partition }: PartitionId): string => `${topic}/${partition}`;
