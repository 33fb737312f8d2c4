// Finds the subscriptions that want a message. Each distinct filter is evaluated once per message, and only if it can
// match the message's data source at all.
import { asksForPositions, type FeedFilter, type FeedMessage, judgeMessage } from "../../../projections/feed/kind.ts";
import { kinds } from "../../../projections/feed/kinds.ts";
import { pinnedSources } from "../../../projections/feed/pinned-sources.ts";
import { testsOf } from "../../../projections/filters/read-filter.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { cursorAfter, NOTHING_TAKEN } from "./cursor.ts";
import type { OutboxLimits } from "./outbox.ts";
import type { ProgressDeps } from "./progress.ts";
import type { Entry } from "./recent.ts";
import { createLiveSelection, type LiveSelection, type Selection } from "./selection.ts";
import type { Subscriber } from "./subscriber.ts";
import { createTestRoom, type FilterTests, type TestRoom } from "./test-room.ts";

export interface Hub {
  /**
   * The subscriber gets every entry published from now on. Throws BAD_USER_INPUT for a filter that takes too many tests,
   * and UNAVAILABLE while those of others take them.
   */
  add(subscriber: Subscriber, selection: Selection): void;
  remove(subscriber: Subscriber, selection: Selection): void;
  /**
   * `next`: offsets of the topic's partitions before the entry. With many filters it pauses; the caller publishes nothing
   * else of the topic before it has resolved.
   */
  publish(topic: Topic, entry: Entry, next: readonly number[]): Promise<void> | undefined;
  /** Whether a filter that may match the message asks where its track has been. */
  asksForPositions(message: FeedMessage): boolean;
}

interface FilterGroup extends FilterTests {
  readonly asked: FeedFilter;
  readonly asksForPositions: boolean;
  /** How many subscribers each token has. */
  readonly tokens: Map<string, number>;
  readonly selections: Map<string, LiveSelection>;
}

interface KindIndex {
  readonly groups: Map<string, FilterGroup>;
  readonly bySource: Map<string, Set<FilterGroup>>;
  readonly anySource: Set<FilterGroup>;
  readonly room: TestRoom;
}

const createIndex = (maxTests: number): KindIndex => ({
  groups: new Map(),
  bySource: new Map(),
  anySource: new Set(),
  room: createTestRoom(maxTests),
});

export interface HubLimits {
  readonly queue: OutboxLimits;
  /** Tests that one message may take, of all filters that can match it. */
  readonly maxTests: number;
}

/** To execute a selection takes as long. */
const RENDER_TESTS = 1_000;

export function createHub(deps: ProgressDeps, { queue, maxTests }: HubLimits): Hub {
  const indexes = new Map(kinds.map(({ field }) => [field, createIndex(maxTests)]));
  let turn = 0;

  function indexOf(field: string): KindIndex {
    const index = indexes.get(field);
    if (index === undefined) throw new Error(`no subscription ${field}`);
    return index;
  }

  function groupOf(index: KindIndex, { asked, filterKey, tokenId }: Selection): FilterGroup {
    const known = index.groups.get(filterKey);
    if (known !== undefined) {
      join(index, known, tokenId, false);
      return known;
    }
    const group: FilterGroup = {
      asked,
      sources: pinnedSources(asked.filter),
      asksForPositions: asksForPositions(asked),
      tests: 1 + testsOf(asked.filter),
      tokens: new Map(),
      selections: new Map(),
    };
    join(index, group, tokenId, true);
    index.groups.set(filterKey, group);
    if (group.sources === undefined) index.anySource.add(group);
    for (const id of group.sources ?? []) {
      const groups = index.bySource.get(id) ?? new Set<FilterGroup>();
      index.bySource.set(id, groups.add(group));
    }
    return group;
  }

  function join({ room }: KindIndex, group: FilterGroup, tokenId: string, isNew: boolean): void {
    const { tokens } = group;
    const before = tokens.get(tokenId) ?? 0;
    if (before === 0) room.take(group, tokenId, isNew);
    tokens.set(tokenId, before + 1);
  }

  function leave({ room }: KindIndex, group: FilterGroup, tokenId: string): void {
    const { tokens } = group;
    const after = (tokens.get(tokenId) ?? 0) - 1;
    if (after > 0) tokens.set(tokenId, after);
    else tokens.delete(tokenId);
    if (after === 0) room.giveBack(group, tokenId, tokens.size === 0);
  }

  function drop(index: KindIndex, group: FilterGroup, filterKey: string): void {
    index.groups.delete(filterKey);
    index.anySource.delete(group);
    for (const id of group.sources ?? []) {
      const groups = index.bySource.get(id);
      groups?.delete(group);
      if (groups?.size === 0) index.bySource.delete(id);
    }
  }

  /** Gives each filter's selections the message, and yields how many tests that took. */
  function* offer(groups: Iterable<FilterGroup>, message: FeedMessage, at: number, cursor: () => string) {
    for (const { asked, selections, tests } of groups) {
      if (yield* judgeMessage(asked, message, deps)) {
        for (const selection of selections.values()) {
          selection.push(message, at, cursor());
          yield RENDER_TESTS;
        }
      }
      yield tests;
    }
  }

  function* offerAll(topic: Topic, entry: Entry, next: readonly number[], at: number): Generator<number> {
    for (const message of entry.messages) {
      const index = indexOf(message.kind);
      if (index.groups.size === 0) continue;
      let text: string | undefined;
      const cursor = () => {
        text ??= cursorAfter({ topic, next, taken: NOTHING_TAKEN }, entry, message);
        return text;
      };
      yield* offer(ofSource(index, message), message, at, cursor);
      yield* offer(index.anySource, message, at, cursor);
    }
  }

  /** At once, until that has taken its turn of the event loop. */
  function go(steps: Iterator<number>): Promise<void> | undefined {
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      const pause = deps.pace(step.value);
      if (pause !== undefined) return pause.then(() => go(steps));
    }
    return undefined;
  }

  return {
    add(subscriber, selection) {
      const { selections } = groupOf(indexOf(selection.asked.kind.field), selection);
      const live = selections.get(selection.key) ?? createLiveSelection(selection, queue);
      selections.set(selection.key, live);
      live.add(subscriber, turn + 1);
    },

    remove(subscriber, { asked, filterKey, key, tokenId }) {
      const index = indexOf(asked.kind.field);
      const group = index.groups.get(filterKey);
      const live = group?.selections.get(key);
      if (group === undefined || live === undefined) return;
      if (!live.remove(subscriber)) return;
      leave(index, group, tokenId);
      if (live.isEmpty) group.selections.delete(key);
      if (group.selections.size === 0) drop(index, group, filterKey);
    },

    asksForPositions(message) {
      const index = indexOf(message.kind);
      return someAsks(index.anySource) || someAsks(ofSource(index, message));
    },

    publish(topic, entry, next) {
      turn += 1;
      return go(offerAll(topic, entry, next, turn));
    },
  };
}

const ofSource = ({ bySource }: KindIndex, { dataSourceId }: FeedMessage): Iterable<FilterGroup> =>
  (dataSourceId === undefined ? undefined : bySource.get(dataSourceId)) ?? [];

function someAsks(groups: Iterable<FilterGroup>): boolean {
  for (const group of groups) if (group.asksForPositions) return true;
  return false;
}
