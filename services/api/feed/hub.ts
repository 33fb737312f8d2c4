// Finds the subscriptions that want a message. Each distinct filter is evaluated once per message, and only if it can
// match the message's data source at all.
import { type FeedMessage, type MatchDeps, passesFilter } from "../../../projections/feed/kind.ts";
import { feedKinds } from "../../../projections/feed/kinds.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { TurnPace } from "../../common/loop-turns.ts";
import { cursorAfter, NOTHING_TAKEN } from "./cursor.ts";
import { type FilterGroup, FilterIndex } from "./filter-index.ts";
import type { OutboxLimits } from "./outbox.ts";
import type { ProgressDeps } from "./progress.ts";
import type { RecentMessage } from "./recent.ts";
import { createLiveSelection, type Selection } from "./selection.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Hub {
  /**
   * The subscriber receives every entry published from now on. Throws BAD_USER_INPUT for a filter that takes too many
   * tests, and UNAVAILABLE while the filters of others take them.
   * @returns an equal selection to keep instead of the given one: equal subscriptions share its document and its texts.
   */
  add(subscriber: Subscriber, selection: Selection): Selection;
  remove(subscriber: Subscriber, selection: Selection): void;
  /**
   * `next` has the offsets of the topic's partitions before the entry. With many filters this pauses; the caller
   * publishes nothing else of the topic before it has resolved.
   */
  publish(topic: Topic, entry: RecentMessage, next: readonly number[]): Promise<void> | undefined;
  /** @returns true when a filter that may match the message needs the earlier positions of its track. */
  asksForPositions(message: FeedMessage): boolean;
}

export interface HubLimits {
  readonly queue: OutboxLimits;
  /** Limit of the tests that one message may need, summed over all filters that can match it. */
  readonly maxTests: number;
}

/** Executing a selection takes as long as this number of tests, or some times as long if graphql-js executes it. */
const RENDER_TESTS = 500;

export function createHub(deps: ProgressDeps, { queue, maxTests }: HubLimits): Hub {
  const indexes = new Map(feedKinds.map(({ field }) => [field, new FilterIndex(maxTests)]));
  let turn = 0;

  function indexOf(field: string): FilterIndex {
    const index = indexes.get(field);
    if (index === undefined) throw new Error(`no subscription ${field}`);
    return index;
  }

  function* offerAll(topic: Topic, entry: RecentMessage, next: readonly number[], at: number): Generator<number> {
    for (const message of entry.messages) {
      const index = indexOf(message.kind);
      if (index.isEmpty) continue;
      let text: string | undefined;
      const cursor = () => {
        text ??= cursorAfter({ topic, next, taken: NOTHING_TAKEN }, entry, message);
        return text;
      };
      const offered = { message, turn: at, cursor };
      yield* offer(offered, index.ofSource(message), deps);
      yield* offer(offered, index.anySource, deps);
    }
  }

  return {
    add(subscriber, selection) {
      const { selections } = indexOf(selection.asked.kind.field).join(selection);
      const live = selections.get(selection.key) ?? createLiveSelection(selection, queue);
      selections.set(selection.key, live);
      live.add(subscriber, turn + 1);
      const { tokenId } = selection;
      return live.selection.tokenId === tokenId ? live.selection : { ...live.selection, tokenId };
    },

    remove(subscriber, { asked, filterKey, key, tokenId }) {
      const index = indexOf(asked.kind.field);
      const group = index.get(filterKey);
      const live = group?.selections.get(key);
      if (group === undefined || live === undefined) return;
      if (!live.remove(subscriber)) return;
      index.leave(group, tokenId);
      if (live.isEmpty) group.selections.delete(key);
      if (group.selections.size === 0) index.drop(filterKey, group);
    },

    asksForPositions(message) {
      const index = indexOf(message.kind);
      return someAsks(index.anySource) || someAsks(index.ofSource(message));
    },

    publish(topic, entry, next) {
      turn += 1;
      return runPaced(offerAll(topic, entry, next, turn), deps.pace);
    },
  };
}

interface Offered {
  readonly message: FeedMessage;
  readonly turn: number;
  readonly cursor: () => string;
}

/** Passes the message to each filter's selections, and yields the number of tests that this took. */
function* offer({ message, turn, cursor }: Offered, groups: Iterable<FilterGroup>, deps: MatchDeps): Generator<number> {
  for (const { asked, selections, tests } of groups) {
    if (yield* passesFilter(asked, message, deps)) {
      for (const selection of selections.values()) {
        selection.push(message, turn, cursor());
        yield RENDER_TESTS;
      }
    }
    yield tests;
  }
}

/**
 * Runs the steps within this turn of the event loop, until `pace` requires a pause; the rest runs after it.
 * @returns undefined when all steps ran without a pause.
 */
function runPaced(steps: Iterator<number>, pace: TurnPace): Promise<void> | undefined {
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    const pause = pace(step.value);
    if (pause !== undefined) return pause.then(() => runPaced(steps, pace));
  }
  return undefined;
}

function someAsks(groups: Iterable<FilterGroup>): boolean {
  for (const group of groups) if (group.asksForPositions) return true;
  return false;
}
