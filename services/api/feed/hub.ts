// Finds the subscriptions that want a message. Each distinct filter is evaluated once per message, and only if it can
// match the message's data source at all.
import {
  asksForPositions,
  type FeedFilter,
  type FeedMessage,
  type MatchDeps,
  matchesMessage,
} from "../../../projections/feed/kind.ts";
import { kinds } from "../../../projections/feed/kinds.ts";
import { pinnedSources } from "../../../projections/feed/pinned-sources.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { cursorAfter, NOTHING_TAKEN } from "./cursor.ts";
import type { OutboxLimits } from "./outbox.ts";
import type { Entry } from "./recent.ts";
import { createLiveSelection, type LiveSelection, type Selection } from "./selection.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Hub {
  /** The subscriber gets every entry published from now on. */
  add(subscriber: Subscriber, selection: Selection): void;
  remove(subscriber: Subscriber, selection: Selection): void;
  /** `next`: offsets of the topic's partitions before the entry. */
  publish(topic: Topic, entry: Entry, next: readonly number[]): void;
  /** Whether a filter that may match the message asks where its track has been. */
  asksForPositions(message: FeedMessage): boolean;
}

interface FilterGroup {
  readonly asked: FeedFilter;
  /** undefined = any. */
  readonly sources: ReadonlySet<string> | undefined;
  readonly asksForPositions: boolean;
  readonly selections: Map<string, LiveSelection>;
}

interface KindIndex {
  readonly groups: Map<string, FilterGroup>;
  readonly bySource: Map<string, Set<FilterGroup>>;
  readonly anySource: Set<FilterGroup>;
}

const createIndex = (): KindIndex => ({ groups: new Map(), bySource: new Map(), anySource: new Set() });

export function createHub(deps: MatchDeps, limits: OutboxLimits): Hub {
  const indexes = new Map(kinds.map(({ field }) => [field, createIndex()]));
  let turn = 0;

  function indexOf(field: string): KindIndex {
    const index = indexes.get(field);
    if (index === undefined) throw new Error(`no subscription ${field}`);
    return index;
  }

  function groupOf(index: KindIndex, { asked, filterKey }: Selection): FilterGroup {
    const known = index.groups.get(filterKey);
    if (known !== undefined) return known;
    const group: FilterGroup = {
      asked,
      sources: pinnedSources(asked.filter),
      asksForPositions: asksForPositions(asked),
      selections: new Map(),
    };
    index.groups.set(filterKey, group);
    if (group.sources === undefined) index.anySource.add(group);
    for (const id of group.sources ?? []) {
      const groups = index.bySource.get(id) ?? new Set<FilterGroup>();
      index.bySource.set(id, groups.add(group));
    }
    return group;
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

  function offer(groups: Iterable<FilterGroup>, message: FeedMessage, cursor: () => string): void {
    for (const { asked, selections } of groups) {
      if (!matchesMessage(asked, message, deps)) continue;
      for (const selection of selections.values()) selection.push(message, turn, cursor());
    }
  }

  return {
    add(subscriber, selection) {
      const { selections } = groupOf(indexOf(selection.asked.kind.field), selection);
      const live = selections.get(selection.key) ?? createLiveSelection(selection, limits);
      selections.set(selection.key, live);
      live.add(subscriber, turn + 1);
    },

    remove(subscriber, { asked, filterKey, key }) {
      const index = indexOf(asked.kind.field);
      const group = index.groups.get(filterKey);
      const live = group?.selections.get(key);
      if (group === undefined || live === undefined) return;
      live.remove(subscriber);
      if (live.isEmpty) group.selections.delete(key);
      if (group.selections.size === 0) drop(index, group, filterKey);
    },

    asksForPositions(message) {
      const index = indexOf(message.kind);
      return someAsks(index.anySource) || someAsks(ofSource(index, message));
    },

    publish(topic, entry, next) {
      turn += 1;
      for (const message of entry.messages) {
        const index = indexOf(message.kind);
        if (index.groups.size === 0) continue;
        let text: string | undefined;
        const cursor = () => {
          text ??= cursorAfter({ topic, next, taken: NOTHING_TAKEN }, entry, message);
          return text;
        };
        offer(ofSource(index, message), message, cursor);
        offer(index.anySource, message, cursor);
      }
    },
  };
}

const ofSource = ({ bySource }: KindIndex, { dataSourceId }: FeedMessage): Iterable<FilterGroup> =>
  (dataSourceId === undefined ? undefined : bySource.get(dataSourceId)) ?? [];

function someAsks(groups: Iterable<FilterGroup>): boolean {
  for (const group of groups) if (group.asksForPositions) return true;
  return false;
}
