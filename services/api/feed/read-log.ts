// Reads the log for one subscriber whose cursor lies before what memory keeps. Only a few do so at a
// time.
import type { Kafka } from "kafkajs";
import { topicName } from "../../../schemas/topics.ts";
import { createFollower } from "../../common/kafka/follow.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import { beyondLog, tooOld } from "./cursor.ts";
import { type FollowedTopic, rangesOf } from "./follow-topic.ts";
import type { Joining, Progress } from "./progress.ts";
import { createTopicReader, type ReaderDeps } from "./read-topic.ts";

export interface ReadLogDeps extends ReaderDeps {
  readonly kafka: Kafka;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly lookbackMessages: number;
  /** Runs one read of the log when its turn has come. */
  readonly queueLogRead: (read: () => Promise<void>) => Promise<void>;
}

/** By partition, what the log keeps. Rejects with BAD_USER_INPUT when the place lies outside. */
export async function checkPlace(
  { topic, next: followed }: Pick<FollowedTopic, "topic" | "next">,
  next: readonly number[],
  deps: Pick<ReadLogDeps, "kafka" | "namespace">,
): Promise<OffsetRange[]> {
  const ranges = await rangesOf(deps.kafka, topicName(deps.namespace, topic));
  if (next.length > ranges.length) throw beyondLog();
  for (const { partition, low, high } of ranges) {
    const wanted = next[partition] ?? 0;
    if (wanted < low) throw tooOld();
    if (wanted > high) throw beyondLog();
  }
  // The following is older than some partitions; the next one will know them.
  if (next.length > followed.length) throw new Error(`${topic} has more partitions than are followed`);
  return ranges;
}

/** Reads the log from the place reached, with a memory of its own, until memory covers what follows. */
export async function readLog(joining: Joining, progress: Progress, deps: ReadLogDeps): Promise<void> {
  const { followed, subscriber } = joining;
  const ranges = await checkPlace(followed, progress.next, deps);
  const reader = createTopicReader(followed.topic, deps);
  const reached = Promise.withResolvers<void>();
  const isDone = () => subscriber.over || followed.recent.covers(progress.next);
  const settle = () => {
    if (isDone()) reached.resolve();
  };
  const follower = createFollower({
    kafka: deps.kafka,
    groupPrefix: `${deps.groupPrefix}.feed-resume`,
    topics: [topicName(deps.namespace, followed.topic)],
    log: deps.log,
    from: ({ partition }) =>
      Math.max(ranges[partition]?.low ?? 0, (progress.next[partition] ?? 0) - deps.lookbackMessages),
    onBatch: async (batch) => {
      const entries = await reader.read(batch);
      for (const [i, entry] of entries.entries()) {
        if (isDone()) break;
        await progress.prepare(reader, entry, () => entries.slice(i));
        await progress.take(entry);
      }
      settle();
    },
  });
  await follower.start();
  try {
    const watch = setInterval(settle, 500);
    await Promise.race([reached.promise, follower.failed, followed.failed]).finally(() => clearInterval(watch));
  } finally {
    await follower.stop();
  }
}
