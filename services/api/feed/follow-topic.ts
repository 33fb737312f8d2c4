// Follows the tail of one topic for all subscribers of this instance. It begins a little before the end, so that it
// recognises repetitions from the first message on.
import type { Admin, Kafka } from "kafkajs";
import { lookbackOf } from "../../../projections/feed/kinds.ts";
import { type Topic, topicName } from "../../../schemas/topics.ts";
import { createFollower, type Follower } from "../../common/kafka/follow.ts";
import { type OffsetRange, offsetRanges } from "../../common/kafka/offsets.ts";
import type { Log } from "../../common/log.ts";
import type { IsWanted } from "./find-positions.ts";
import type { InTurn } from "./in-turn.ts";
import { createTopicReader, type ReaderDeps, type TopicReader } from "./read-topic.ts";
import { createRecent, type Entry, type Recent, type RecentLimits } from "./recent.ts";

export interface FollowedTopic {
  readonly topic: Topic;
  readonly recent: Recent;
  /** By partition: offset after the last message taken. */
  readonly next: readonly number[];
  /** By partition: the end of the topic when followTopic was called. */
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
  /** The broker's time or a little earlier, ms; undefined = not known: then our own clock must do. */
  readonly recordedNow: () => number | undefined;
  /** Gets every entry, in order; `next` of its partition is still the entry's own offset. */
  readonly onEntry: (entry: Entry, next: readonly number[]) => Promise<void> | undefined;
  /** What is told of the topic is told one after the other. */
  readonly inTurn: InTurn;
  /** Resolves when this instance's views show what the message at the offset says: an entry is shown with their objects. */
  readonly isViewed: (topic: Topic, offset: number) => Promise<void>;
  /** Whether a subscriber's filter needs to know where the track of this message has been. */
  readonly asksForPositions: IsWanted;
}

/** Entries handled before the sockets get a turn to send what was written to them. */
const SLICE = 32;

/** Resolves when the first offsets are known; rejects when the broker is away. */
export async function followTopic(options: FollowTopicOptions): Promise<FollowedTopic> {
  const { kafka, log, topic } = options;
  const lookback = lookbackOf(topic, options.lookbackMessages);
  const name = topicName(options.namespace, topic);
  const { ranges, ends } = await askBroker(kafka, name, options.recordedNow() ?? Date.now());
  const next = ranges.map(({ low, partition }) => Math.max(low, (ends[partition] ?? 0) - lookback));
  const starts = [...next];
  const recent = createRecent(starts, options.kept);
  const reader = createTopicReader(topic, options);
  let moved = Promise.withResolvers<void>();

  const take = (entry: Entry): Promise<void> | undefined =>
    options.inTurn(() => {
      recent.push(entry);
      const told = options.onEntry(entry, next);
      if (told !== undefined) return told.then(() => pass(entry.partition, entry.offset + 1));
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
    learn: options.codec.learn,
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
 * `since`: the broker's time. A message recorded while the broker answers then counts as new to the subscriber. By a
 * clock that is wrong, messages of hours would be taken for new ones, or new ones for old.
 */
async function askBroker(kafka: Kafka, name: string, since: number) {
  return withAdmin(kafka, async (admin) => {
    const ranges = await offsetRanges(admin, name);
    const ends = ranges.map(({ high }) => high);
    for (const { partition, offset } of await admin.fetchTopicOffsetsByTimestamp(name, since)) {
      ends[partition] = Math.min(ends[partition] ?? 0, Number(offset));
    }
    return { ranges, ends };
  });
}

/** The offsets that the log keeps, by partition, in order. */
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
