// Brings a subscriber from its cursor to the tail: from the log if its cursor lies before what this instance keeps in
// memory, then from memory, and then, in the same turn in which nothing is left, over to the live feed. Every message it
// gets on the way carries the cursor of its own progress.
import type { Kafka } from "kafkajs";
import { topicName } from "../../../schemas/topics.ts";
import { createFollower } from "../../common/kafka/follow.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import { beyondLog, cursorAfter, type Place, tooOld } from "./cursor.ts";
import { type FollowedTopic, rangesOf, yieldToSockets } from "./follow-topic.ts";
import { type MatchDeps, matchesMessage } from "./match-message.ts";
import { createTopicReader, type ReaderDeps } from "./read-topic.ts";
import type { Entry } from "./recent.ts";
import { type Selection, toPayload } from "./selection.ts";
import type { Subscriber } from "./subscriber.ts";

export interface CatchUpDeps extends MatchDeps, ReaderDeps {
  readonly kafka: Kafka;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly lookbackMessages: number;
  /** Runs one read of the log when its turn has come. */
  readonly queueLogRead: (read: () => Promise<void>) => Promise<void>;
}

export interface Joining {
  readonly followed: FollowedTopic;
  readonly place: Place;
  readonly selection: Selection;
  readonly subscriber: Subscriber;
  /** Makes the subscriber one of the live ones. */
  readonly attach: () => void;
}

const SLICE = 256;

/**
 * Resolves when the subscriber is attached or over; does so within the same turn if it is at the tail already. Rejects
 * with BAD_USER_INPUT for a cursor that the log cannot serve.
 */
export async function catchUp(joining: Joining, deps: CatchUpDeps): Promise<void> {
  const { followed, subscriber, attach } = joining;
  const { recent } = followed;
  const position = createPosition(joining, deps);
  if (isAhead(position.next, followed)) await checkPlace(joining, position.next, deps);
  while (!subscriber.over) {
    if (!recent.covers(position.next)) {
      await deps.queueLogRead(() => readLog(joining, position, deps));
      continue;
    }
    await readMemory(joining, position);
    if (subscriber.over || !recent.covers(position.next)) continue;
    // No await between finding that nothing is left and attaching.
    if (recent.end === position.seen && followed.next.every((offset, i) => (position.next[i] ?? 0) <= offset)) {
      attach();
      return;
    }
    if (recent.end === position.seen) await Promise.race([followed.progress(), followed.failed]);
  }
}

/** Another instance may have come further than this one; but nobody further than the log. */
const isAhead = (next: readonly number[], { next: reached, ends }: FollowedTopic): boolean =>
  next.some((offset, partition) => offset > Math.max(reached[partition] ?? 0, ends[partition] ?? 0));

/** By partition, what the log keeps. Rejects when the place lies outside. */
async function checkPlace({ followed }: Joining, next: readonly number[], deps: CatchUpDeps): Promise<OffsetRange[]> {
  const ranges = await rangesOf(deps.kafka, topicName(deps.namespace, followed.topic));
  for (const { partition, low, high } of ranges) {
    const wanted = next[partition] ?? 0;
    if (wanted < low) throw tooOld();
    if (wanted > high) throw beyondLog();
  }
  return ranges;
}

interface Position {
  readonly next: number[];
  /** Number of the first entry in memory that was not looked at. */
  seen: number;
  /** Delivers what of the entry is new to the subscriber. */
  take(entry: Entry): void | Promise<void>;
}

function createPosition({ followed, place, selection, subscriber }: Joining, deps: CatchUpDeps): Position {
  const { topic } = followed;
  // Partitions that were added later are new from their beginning.
  const next = followed.next.map((_, partition) => place.next[partition] ?? 0);
  let { partition: within, skip } = place;

  async function deliver(entry: Entry, from: number): Promise<void> {
    for (const message of entry.messages) {
      if (message.index < from || !matchesMessage(selection.asked, message, deps)) continue;
      const rendered = await selection.render(message);
      subscriber.offer(toPayload(rendered, message, cursorAfter(topic, next, entry, message)));
      await subscriber.room();
      if (subscriber.over) return;
    }
  }

  function take(entry: Entry): void | Promise<void> {
    const { partition, offset, messages } = entry;
    if (offset < (next[partition] ?? 0)) return;
    const from = partition === within && offset === next[partition] ? skip : 0;
    if (from > 0) [within, skip] = [-1, 0];
    if (!messages.some(({ kind }) => kind === selection.asked.kind)) {
      next[partition] = offset + 1;
      return;
    }
    return deliver(entry, from).then(() => {
      next[partition] = offset + 1;
    });
  }

  return { next, seen: followed.recent.first, take };
}

async function readMemory({ followed: { recent }, subscriber }: Joining, position: Position): Promise<void> {
  position.seen = Math.max(position.seen, recent.first);
  for (let read = 1; position.seen < recent.end && !subscriber.over; read++) {
    const entry = recent.at(position.seen);
    // Dropped while this subscriber was slow: the log still has it.
    if (entry === undefined) return;
    position.seen += 1;
    const taken = position.take(entry);
    if (taken !== undefined) await taken;
    if (read % SLICE === 0) await yieldToSockets();
  }
}

/** Reads the log from the position, with a memory of its own, until memory covers what follows. */
async function readLog(joining: Joining, position: Position, deps: CatchUpDeps): Promise<void> {
  const { followed, subscriber } = joining;
  const ranges = await checkPlace(joining, position.next, deps);
  const reader = createTopicReader(followed.topic, deps);
  const reached = Promise.withResolvers<void>();
  const settle = () => {
    if (subscriber.over || followed.recent.covers(position.next)) reached.resolve();
  };
  const follower = createFollower({
    kafka: deps.kafka,
    groupPrefix: `${deps.groupPrefix}.feed-resume`,
    topics: [topicName(deps.namespace, followed.topic)],
    log: deps.log,
    from: ({ partition }) =>
      Math.max(ranges[partition]?.low ?? 0, (position.next[partition] ?? 0) - deps.lookbackMessages),
    onBatch: async (batch) => {
      const entries = await reader.read(batch);
      for (const entry of entries) {
        if (subscriber.over || followed.recent.covers(position.next)) return settle();
        await position.take(entry);
      }
      position.next[batch.partition] = Math.max(position.next[batch.partition] ?? 0, batch.next);
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
