// Reads the log for one subscriber whose cursor is before the messages in memory. Only a few subscribers read at the
// same time. When others wait, a turn ends once the client has taken nothing for a while or has used its share. The
// subscriber continues in a later turn.
import type { Kafka } from "kafkajs";
import { lookbackOf } from "../../../projections/feed/kinds.ts";
import { topicName } from "../../../schemas/topics.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import { createFollower } from "../../common/kafka/read/follow.ts";
import type { Turns } from "../../common/turns.ts";
import { beyondLog, tooOld } from "./cursor.ts";
import { type FollowedTopic, rangesOf } from "./follow-topic.ts";
import type { Joining, SubscriberProgress } from "./progress.ts";
import { createTopicReader, type ReaderDeps } from "./read-topic.ts";
import type { RecentMessage } from "./recent.ts";

export interface ReadLogDeps extends ReaderDeps {
  readonly kafka: Kafka;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly lookbackMessages: number;
  readonly logReads: Turns;
}

/** Milliseconds for which a client may keep a turn from others without taking anything. */
const PATIENCE_MS = 500;
/**
 * Milliseconds for which a client that takes messages keeps a turn while others wait. They count from its first new
 * message, because the start of a read is costly.
 */
const SHARE_MS = 3_000;
const CHECK_MS = 100;

/**
 * Resolves with the offsets that the log still has, by partition. Rejects with BAD_USER_INPUT when one of `next` is not
 * among them.
 */
export async function checkWithinLog(
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
  // Partitions were added after this follower had begun. A later follower will know them.
  if (next.length > followed.length) throw new Error(`${topic} has more partitions than are followed`);
  return ranges;
}

/** Resolves when memory covers the rest, when the subscriber is over, or when the turn has ended. */
export async function readLog(joining: Joining, progress: SubscriberProgress, deps: ReadLogDeps): Promise<void> {
  const turn: Turn = { unfinished: undefined };
  await deps.logReads.run(() => readForATurn(joining, progress, turn, deps));
  // The subscriber waits for its slow client outside the turn, so that others can read meanwhile. It keeps only this
  // one entry in memory.
  await turn.unfinished;
}

interface Turn {
  /** Delivery of the last entry, if the client did not take all of it in time. */
  unfinished: Promise<void> | undefined;
}

async function readForATurn(
  joining: Joining,
  progress: SubscriberProgress,
  turn: Turn,
  deps: ReadLogDeps,
): Promise<void> {
  const { followed, subscriber } = joining;
  // The client may have left while it waited for its turn.
  if (subscriber.over) return;
  const ranges = await checkWithinLog(followed, progress.next, deps);
  const reader = createTopicReader(followed.topic, deps);
  const lookback = lookbackOf(followed.topic, deps.lookbackMessages);
  const limit = createLimit(() => subscriber.over || followed.recent.covers(progress.next), deps.logReads.othersWait);

  /** @returns false when the turn ended before all entries were taken. */
  async function take(entries: readonly RecentMessage[]): Promise<boolean> {
    for (const [i, entry] of entries.entries()) {
      if (limit.isReached()) return false;
      await progress.prepare(reader, entry, () => entries.slice(i));
      if (entry.offset >= (progress.next[entry.partition] ?? 0)) limit.begin();
      const taken = progress.take(entry);
      if (taken === undefined) continue;
      turn.unfinished = taken;
      if (!(await limit.wait(taken))) return false;
      turn.unfinished = undefined;
    }
    return true;
  }

  const follower = createFollower({
    kafka: deps.kafka,
    groupPrefix: `${deps.groupPrefix}.feed-resume`,
    topics: [topicName(deps.namespace, followed.topic)],
    log: deps.log,
    isMeasured: false,
    loadSchemas: deps.codec.loadSchemas,
    from: ({ partition }) => Math.max(ranges[partition]?.low ?? 0, (progress.next[partition] ?? 0) - lookback),
    onBatch: async (batch) => {
      if (limit.isReached() || !(await take(await reader.read(batch)))) return;
      progress.passed(batch.partition, batch.next);
      limit.isReached();
    },
  });
  try {
    await follower.start();
    await Promise.race([limit.reached, follower.failed, followed.failed]);
  } finally {
    limit.stop();
    await follower.stop();
  }
}

interface Limit {
  /** Checks the limit; once reached, it stays reached. */
  isReached(): boolean;
  readonly reached: Promise<void>;
  /** Must be called when the first new message has come. */
  begin(): void;
  /** Resolves with false if the turn ended before the work did. */
  wait(work: Promise<void>): Promise<boolean>;
  stop(): void;
}

function createLimit(isDone: () => boolean, othersWait: () => boolean): Limit {
  const reached = Promise.withResolvers<void>();
  let over = false;
  let begunAt = Number.POSITIVE_INFINITY;
  let waitingSince = Number.POSITIVE_INFINITY;
  let leave: (() => void) | undefined;

  function checkTurn(): void {
    const now = performance.now();
    const hadItsShare = now - begunAt > SHARE_MS || now - waitingSince > PATIENCE_MS;
    if (isDone() || (hadItsShare && othersWait())) end();
  }

  function end(): void {
    over = true;
    leave?.();
    reached.resolve();
  }

  const timer = setInterval(checkTurn, CHECK_MS);
  return {
    reached: reached.promise,
    isReached() {
      if (!over && isDone()) end();
      return over;
    },
    begin() {
      begunAt = Math.min(begunAt, performance.now());
    },
    async wait(work) {
      // Each call has a promise of its own, because the reactions to a long-lived promise would accumulate.
      const left = Promise.withResolvers<void>();
      leave = left.resolve;
      waitingSince = performance.now();
      // The caller that awaits the work itself sees the failure.
      work.catch(() => undefined);
      await Promise.race([work, left.promise]);
      waitingSince = Number.POSITIVE_INFINITY;
      return !over;
    },
    stop() {
      clearInterval(timer);
      end();
    },
  };
}
