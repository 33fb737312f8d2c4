// Follows the tail of one topic for all subscribers of this instance. It begins a little before the end, so that it
// recognises repetitions from the first message on.
import type { Admin, Kafka } from "kafkajs";
import { lookbackOf } from "../../../projections/feed/kinds.ts";
import { type Topic, topicName } from "../../../schemas/topics.ts";
import { type OffsetRange, offsetRanges, offsetsSince } from "../../common/kafka/offsets.ts";
import { createFollower, type Follower } from "../../common/kafka/read/follow.ts";
import type { Log } from "../../common/log.ts";
import type { IsWanted } from "./find-positions.ts";
import type { InTurn } from "./in-turn.ts";
import { createTopicReader, type ReaderDeps, type TopicReader } from "./read-topic.ts";
import { createRecent, type Recent, type RecentLimits, type RecentMessage } from "./recent.ts";

export interface FollowedTopic {
  readonly topic: Topic;
  readonly recent: Recent;
  /** Offset after the last message taken, by partition. */
  readonly next: readonly number[];
  /** End of the topic when followTopic was called, by partition. */
  readonly ends: readonly number[];
  readonly reader: TopicReader;
  /** Resolves after the next entry, or when offsets without an entry were passed. */
  progress(): Promise<void>;
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

export interface FollowTopicOptions extends ReaderDeps {
  readonly kafka: Kafka;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly log: Log;
  readonly topic: Topic;
  readonly kept: RecentLimits;
  readonly lookbackMessages: number;
  /** Returns the broker's time or a little earlier, ms; undefined while unknown. */
  readonly recordedNow: () => number | undefined;
  /** Called with every entry, in order. For the entry's partition `next` is still the entry's own offset. */
  readonly onEntry: (entry: RecentMessage, next: readonly number[]) => Promise<void> | undefined;
  /** Publishes the topic's entries and the messages of `Feed.announce` one after the other. */
  readonly inTurn: InTurn;
  /**
   * Resolves when this instance's views have applied the message at the offset. Entries wait for it, because they are
   * shown with objects of the views.
   */
  readonly isViewed: (topic: Topic, offset: number) => Promise<void>;
  /** @returns true when a subscriber's filter needs the earlier positions of this message's track. */
  readonly asksForPositions: IsWanted;
}

/** Number of entries after which the sockets get a turn to send their data. */
const SLICE = 32;

/** Resolves when the first offsets are known; rejects when the broker is unavailable. */
export async function followTopic(options: FollowTopicOptions): Promise<FollowedTopic> {
  const { kafka, log, topic } = options;
  const lookback = lookbackOf(topic, options.lookbackMessages);
  const name = topicName(options.namespace, topic);
  const { ranges, ends } = await askBroker(kafka, name, options.recordedNow);
  const next = ranges.map(({ low, partition }) => Math.max(low, (ends[partition] ?? 0) - lookback));
  const starts = [...next];
  const recent = createRecent(starts, options.kept);
  const reader = createTopicReader(topic, options);
  let moved = Promise.withResolvers<void>();

  const take = (entry: RecentMessage): Promise<void> | undefined =>
    options.inTurn(() => {
      recent.push(entry);
      const published = options.onEntry(entry, next);
      if (published !== undefined) return published.then(() => pass(entry.partition, entry.offset + 1));
      pass(entry.partition, entry.offset + 1);
      return undefined;
    });

  function pass(partition: number, offset: number): void {
    next[partition] = offset;
    moved.resolve();
    moved = Promise.withResolvers<void>();
  }

  const follower: Follower = createFollower({
    kafka,
    groupPrefix: `${options.groupPrefix}.feed`,
    topics: [name],
    log,
    loadSchemas: options.codec.loadSchemas,
    from: ({ partition }) => next[partition] ?? "beginning",
    onBatch: async (batch) => {
      const last = batch.messages.at(-1);
      if (last !== undefined) await options.isViewed(topic, Number(last.offset));
      const entries = await reader.read(batch);
      for (const [i, entry] of entries.entries()) {
        // Checked again after each look-up: a subscriber may have joined meanwhile.
        while (reader.positions.lacks(entry, options.asksForPositions)) {
          await reader.positions.find(entries.slice(i), options.asksForPositions);
        }
        const taking = take(entry);
        if (taking !== undefined) await taking;
        if (i % SLICE === SLICE - 1) await yieldToSockets();
      }
      pass(batch.partition, batch.next);
    },
  });
  await follower.start();
  const { failed } = follower;
  return { topic, recent, next, ends, reader, failed, progress: () => moved.promise, stop: follower.stop };
}

/**
 * Resolves with the offsets that the log has, and with each partition's end at the time of the call. A message recorded
 * while the broker answers is after that end, so it counts as new to the subscriber.
 */
async function askBroker(kafka: Kafka, name: string, recordedNow: FollowTopicOptions["recordedNow"]) {
  const asked = { ourMs: Date.now(), elapsedMs: performance.now() };
  return withAdmin(kafka, async (admin) => {
    const ranges = await offsetRanges(admin, name);
    const partitions = ranges.map(({ partition }) => partition);
    const firstSince = (timeMs: number) => offsetsSince(admin, name, timeMs, partitions);
    const recordedMs = recordedNow();
    const sinceMs =
      recordedMs === undefined
        ? await unlessBehind(asked.ourMs, ranges, firstSince)
        : recordedMs - (performance.now() - asked.elapsedMs);
    const first = sinceMs === undefined ? undefined : await firstSince(Math.floor(sinceMs));
    const ends = ranges.map(({ partition, high }) => Math.min(high, first?.get(partition) ?? high));
    return { ranges, ends };
  });
}

/**
 * Returns our own time in ms, for use while the broker's time is unknown. If our clock is ahead, the broker finds no
 * message since that time. If it is slow, messages of hours would count as new; the log then has messages from our
 * future.
 * @returns undefined when the log has messages from our future: no message in the log then counts as new.
 */
async function unlessBehind(
  ourMs: number,
  ranges: readonly OffsetRange[],
  firstSince: (timeMs: number) => Promise<ReadonlyMap<number, number>>,
): Promise<number | undefined> {
  const future = await firstSince(Date.now() + 1);
  return ranges.some(({ partition, high }) => (future.get(partition) ?? high) < high) ? undefined : ourMs;
}

/** Resolves with the offsets that the log still has, in the order of the partitions. */
export const rangesOf = (kafka: Kafka, name: string): Promise<OffsetRange[]> =>
  withAdmin(kafka, (admin) => offsetRanges(admin, name));

async function withAdmin<T>(kafka: Kafka, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}

export const yieldToSockets = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
