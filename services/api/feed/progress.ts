// Tracks the position of one subscriber on its way to the tail, and chooses its next messages.
import {
  asksForPositions,
  type FeedFilter,
  type FeedMessage,
  type MatchDeps,
  passesFilter,
} from "../../../projections/feed/kind.ts";
import { testsOf } from "../../../projections/filters/read-filter.ts";
import type { TurnPace } from "../../common/loop-turns.ts";
import { type CursorPosition, cursorAfter, neededOf } from "./cursor.ts";
import type { IsWanted } from "./find-positions.ts";
import type { FollowedTopic } from "./follow-topic.ts";
import type { TopicReader } from "./read-topic.ts";
import type { RecentMessage } from "./recent.ts";
import { type Selection, toPayload } from "./selection.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Joining {
  readonly followed: FollowedTopic;
  readonly place: CursorPosition;
  readonly selection: Selection;
  readonly subscriber: Subscriber;
  /** Joins the subscriber to the live feed. */
  readonly attach: () => void;
}

export interface SubscriberProgress {
  /** Offset of the first log message that was not taken completely, by partition. */
  readonly next: readonly number[];
  /** Returns, by partition, the lowest end offset that the log can have if it gave out the present cursor. */
  needed(): readonly number[];
  /** Number of the first entry in memory that was not taken. */
  seen: number;
  /** Must be called before an entry is taken, so that filters have the earlier positions of the tracks. */
  prepare(
    reader: TopicReader,
    entry: RecentMessage,
    following: () => readonly RecentMessage[],
  ): Promise<void> | undefined;
  /**
   * Must be called when everything before `offset` was read, because the offsets after the last entry may have no
   * entries.
   */
  passed(partition: number, offset: number): void;
  /** Delivers the messages of the entry that are new to the subscriber; waits while the client does not take them. */
  take(entry: RecentMessage): Promise<void> | undefined;
}

export interface ProgressDeps extends MatchDeps {
  /** All subscribers that catch up share it, so their tests count together. */
  readonly pace: TurnPace;
}

export function createSubscriberProgress(
  { followed, place, selection, subscriber }: Joining,
  deps: ProgressDeps,
): SubscriberProgress {
  const { topic } = followed;
  const { asked } = selection;
  // A partition that is newer than the cursor is read from its beginning.
  const next = followed.next.map((_, partition) => place.next[partition] ?? 0);
  const tests = 1 + testsOf(asked.filter);
  const needsPositions = asksForPositions(asked);
  const isWanted: IsWanted = ({ kind }) => needsPositions && kind === asked.kind.field;
  // While other partitions continue, the cursors keep the number of messages that the client has of one partition's
  // unfinished event.
  const taken = new Map(place.taken);

  async function deliver(entry: RecentMessage, from: number): Promise<void> {
    for (const message of entry.messages) {
      const pause = deps.pace(tests);
      if (pause !== undefined) await pause;
      if (message.index < from || !(await passes(asked, message, deps))) continue;
      const rendered = await selection.render(message);
      const cursor = cursorAfter({ topic, next, taken }, entry, message);
      subscriber.offer(toPayload(rendered, asked.kind.mergeKey(message), cursor));
      await subscriber.whenWritable();
      if (subscriber.over) return;
    }
    pass(entry.partition, entry.offset + 1);
  }

  function pass(partition: number, offset: number): void {
    next[partition] = offset;
    taken.delete(partition);
  }

  return {
    next,
    needed: () => neededOf({ next, taken }),
    seen: followed.recent.first,

    prepare(reader, entry, following) {
      const isNew = entry.offset >= (next[entry.partition] ?? 0);
      if (!isNew || !reader.positions.lacks(entry, isWanted)) return undefined;
      return findPositions(reader, entry, following, isWanted);
    },

    passed(partition, offset) {
      if (offset > (next[partition] ?? 0)) pass(partition, offset);
    },

    take(entry) {
      const { partition, offset, messages } = entry;
      if (offset < (next[partition] ?? 0)) return undefined;
      const from = offset === next[partition] ? (taken.get(partition) ?? 0) : 0;
      if (messages.some(({ kind }) => kind === asked.kind.field)) return deliver(entry, from);
      pass(partition, offset + 1);
      return undefined;
    },
  };
}

async function findPositions(
  { positions }: TopicReader,
  entry: RecentMessage,
  following: () => readonly RecentMessage[],
  isWanted: IsWanted,
): Promise<void> {
  while (positions.lacks(entry, isWanted)) await positions.find(following(), isWanted);
}

async function passes(asked: FeedFilter, message: FeedMessage, deps: ProgressDeps): Promise<boolean> {
  const steps = passesFilter(asked, message, deps);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await deps.pace(step.value);
  return step.value;
}
