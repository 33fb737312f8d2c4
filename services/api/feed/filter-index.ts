// The filters of one kind of subscription, by the data sources whose messages they can match. Equal filters share a
// group.
import { asksForPositions, type FeedFilter, type FeedMessage } from "../../../projections/feed/kind.ts";
import { pinnedSources } from "../../../projections/feed/pinned-sources.ts";
import { testsOf } from "../../../projections/filters/read-filter.ts";
import type { LiveSelection, Selection } from "./selection.ts";
import { createTestBudget, type FilterTests, type TestBudget } from "./test-budget.ts";

export interface FilterGroup extends FilterTests {
  readonly asked: FeedFilter;
  readonly asksForPositions: boolean;
  /** Number of subscribers of each token. */
  readonly tokens: Map<string, number>;
  readonly selections: Map<string, LiveSelection>;
}

export class FilterIndex {
  readonly #groups = new Map<string, FilterGroup>();
  readonly #bySource = new Map<string, Set<FilterGroup>>();
  readonly #anySource = new Set<FilterGroup>();
  readonly #budget: TestBudget;

  /** `maxTests` limits the tests that one message may need, summed over all filters that can match it. */
  constructor(maxTests: number) {
    this.#budget = createTestBudget(maxTests);
  }

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** Filters that can match messages of every data source. */
  get anySource(): Iterable<FilterGroup> {
    return this.#anySource;
  }

  /** Filters that can match the message because they name its data source. */
  ofSource({ dataSourceId }: FeedMessage): Iterable<FilterGroup> {
    return (dataSourceId === undefined ? undefined : this.#bySource.get(dataSourceId)) ?? [];
  }

  get(filterKey: string): FilterGroup | undefined {
    return this.#groups.get(filterKey);
  }

  /**
   * Counts a subscriber. Throws BAD_USER_INPUT for a filter that takes too many tests, and UNAVAILABLE while the
   * filters of others take them.
   */
  join({ asked, filterKey, tokenId }: Selection): FilterGroup {
    const known = this.#groups.get(filterKey);
    const group = known ?? createGroup(asked);
    const before = group.tokens.get(tokenId) ?? 0;
    if (before === 0) this.#budget.take(group, tokenId, known === undefined);
    group.tokens.set(tokenId, before + 1);
    if (known === undefined) this.#add(filterKey, group);
    return group;
  }

  leave(group: FilterGroup, tokenId: string): void {
    const { tokens } = group;
    const after = (tokens.get(tokenId) ?? 0) - 1;
    if (after > 0) tokens.set(tokenId, after);
    else tokens.delete(tokenId);
    if (after === 0) this.#budget.giveBack(group, tokenId, tokens.size === 0);
  }

  /** Must be called when the last subscriber has left. */
  drop(filterKey: string, group: FilterGroup): void {
    this.#groups.delete(filterKey);
    this.#anySource.delete(group);
    for (const id of group.sources ?? []) {
      const groups = this.#bySource.get(id);
      groups?.delete(group);
      if (groups?.size === 0) this.#bySource.delete(id);
    }
  }

  #add(filterKey: string, group: FilterGroup): void {
    this.#groups.set(filterKey, group);
    if (group.sources === undefined) this.#anySource.add(group);
    for (const id of group.sources ?? []) {
      const groups = this.#bySource.get(id) ?? new Set<FilterGroup>();
      this.#bySource.set(id, groups.add(group));
    }
  }
}

const createGroup = (asked: FeedFilter): FilterGroup => ({
  asked,
  sources: pinnedSources(asked.filter),
  asksForPositions: asksForPositions(asked),
  tests: 1 + testsOf(asked.filter),
  tokens: new Map(),
  selections: new Map(),
});
