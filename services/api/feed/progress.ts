// How far one subscriber has come on its way to the tail, and which messages it gets next.
import { asksForPositions, type FeedMessage, judgeMessage, type MatchDeps } from "../../../projections/feed/kind.ts";
import { testsOf } from "../../../projections/filters/read-filter.ts";
import type { Pace } from "../../common/loop-turns.ts";
import { cursorAfter, neededOf, type Place } from "./cursor.ts";
import type { IsWanted } from "./find-positions.ts";
import type { FollowedTopic } from "./follow-topic.ts";
import type { TopicReader } from "./read-topic.ts";
import type { Entry } from "./recent.ts";
import { type Selection, toPayload } from "./selection.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Joining {
  readonly followed: FollowedTopic;
  readonly place: Place;
  readonly selection: Selection;
  readonly subscriber: Subscriber;
  /** Joins the subscriber to the live feed. */
  readonly attach: () => void;
}

export interface Progress {
  /** By partition: offset of the first log message that was not taken completely. */
  readonly next: readonly number[];
  /** By partition, the lowest end that a log with this place can have. */
  needed(): readonly number[];
  /** Number of the first entry in memory that was not taken. */
  seen: number;
  /** The caller calls it before it takes an entry, so that filters know where the tracks have been. */
  prepare(reader: TopicReader, entry: Entry, following: () => readonly Entry[]): Promise<void> | undefined;
  /** Everything before `offset` was read: after the last entry there may be offsets without one. */
  passed(partition: number, offset: number): void;
  /** Delivers the messages of the entry that are new to the subscriber; waits while the client does not take them. */
  take(entry: Entry): Promise<void> | undefined;
}

export interface ProgressDeps extends MatchDeps {
  /** Counts the tests of all subscribers that catch up. */
  readonly pace: Pace;
}

export function createProgress({ followed, place, selection, subscriber }: Joining, deps: ProgressDeps): Progress {
  const { topic } = followed;
  const { asked } = selection;
  // A partition added after the cursor is new from its beginning.
  const next = followed.next.map((_, partition) => place.next[partition] ?? 0);
  const tests = 1 + testsOf(asked.filter);
  const needsPositions = asksForPositions(asked);
  const isWanted: IsWanted = ({ kind }) => needsPositions && kind === asked.kind.field;
  // What was taken of one partition's event stays in the cursors while the others go on.
  const taken = new Map(place.taken);

  async function prepare(reader: TopicReader, entry: Entry, following: () => readonly Entry[]): Promise<void> {
    while (reader.positions.lacks(entry, isWanted)) await reader.positions.find(following(), isWanted);
  }

  async function judge(message: FeedMessage): Promise<boolean> {
    const steps = judgeMessage(asked, message, deps);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await deps.pace(step.value);
    return step.value;
  }

  async function deliver(entry: Entry, from: number): Promise<void> {
    for (const message of entry.messages) {
      const pause = deps.pace(tests);
      if (pause !== undefined) await pause;
      if (message.index < from || !(await judge(message))) continue;
      const rendered = await selection.render(message);
      const cursor = cursorAfter({ topic, next, taken }, entry, message);
      subscriber.offer(toPayload(rendered, asked.kind.mergeKey(message), cursor));
      await subscriber.room();
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
      return isNew && reader.positions.lacks(entry, isWanted) ? prepare(reader, entry, following) : undefined;
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
