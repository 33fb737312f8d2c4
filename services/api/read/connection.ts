// Pages of the history and of views in memory, as GraphQL connections.
import { answerSources } from "../../../projections/catalog/data-source-ids.ts";
import { createPager } from "../../../projections/catalog/page.ts";
import { prepareFilter } from "../../../projections/filters/prepare.ts";
import { readFilter, testsOf } from "../../../projections/filters/read-filter.ts";
import type { History, Page, PageRequest } from "../../../projections/history/queries/records.ts";
import type { Sort } from "../../../schemas/filters.ts";
import { checkFirst } from "./first.ts";
import type { ReadContext } from "./read-context.ts";

export interface PageArgs<Filter, Sort> {
  readonly filter: Filter;
  readonly first: number;
  readonly after?: string | null;
  readonly sort: readonly Sort[];
}

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** The members are functions, because graphql-js calls them only when the field is selected. */
export interface Connection<T> {
  readonly pageInfo: () => PageInfo | Promise<PageInfo>;
  readonly edges: () => Page<T>["edges"] | Promise<Page<T>["edges"]>;
  readonly totalCount: () => number | Promise<number>;
}

export const pageInfoOf = <T>({ edges, hasNextPage, hasPreviousPage }: Page<T>): PageInfo => ({
  hasNextPage,
  hasPreviousPage,
  startCursor: edges[0]?.cursor ?? null,
  endCursor: edges.at(-1)?.cursor ?? null,
});

/** Returns a page of the history; an empty page (first: 0) still shows whether there is more. */
async function historyPage<T, Filter, Sort>(
  args: PageArgs<Filter, Sort>,
  ask: (request: PageArgs<Filter, Sort>) => Promise<Page<T>>,
): Promise<Page<T>> {
  if (args.first > 0) return ask(args);
  const { edges, hasPreviousPage } = await ask({ ...args, first: 1 });
  return { edges: [], hasNextPage: edges.length > 0, hasPreviousPage };
}

/** A list of the history: its page, and its total count. */
interface InHistory<T, Filter, Sort> {
  reached(): Promise<void>;
  page(history: History, request: PageRequest<Filter, Sort>): Promise<Page<T>>;
  count(history: History, filter: Filter): Promise<number>;
}

type WalkingContext = Pick<ReadContext, "maxFirst" | "filterLimits" | "walk">;

/** Returns a page of the history, once the history has reached the requested position. */
export async function historyQuery<T, Filter, Sort>(
  args: PageArgs<Filter, Sort>,
  context: WalkingContext & Pick<ReadContext, "history" | "catalog">,
  { reached, page, count }: InHistory<T, Filter, Sort>,
): Promise<Connection<T>> {
  checkFirst(args.first, context.maxFirst);
  const filter = readFilter(args.filter, context.filterLimits);
  await reached();
  // GraphQL has checked that the filter is an object.
  const given = filter as object | null | undefined;
  const dataSourceIds = await answerSources(given, context.catalog, context.walk);
  await prepareFilter(given, context.walk);
  const history: History = { client: context.history.client, dataSourceIds };
  let asked: Promise<Page<T>> | undefined;
  const found = () => {
    asked ??= historyPage({ ...args, filter }, (request) => page(history, request));
    return asked;
  };
  return {
    pageInfo: async () => pageInfoOf(await found()),
    edges: async () => (await found()).edges,
    totalCount: async () => {
      // The query of the page was built in this turn of the event loop; that of the count gets a turn of its own.
      await prepareFilter(given, context.walk);
      return count(history, filter);
    },
  };
}

/** A view in memory: its items, its filter and its order. */
interface InMemory<T, Filter, Field extends string> {
  reached(): Promise<void>;
  all(): Iterable<T>;
  matches(filter: Filter, item: T): boolean;
  value(item: T, field: Field): string | number;
  id(item: T): string;
}

/** Returns a page of a view in memory, once the view has reached the requested position. */
export async function memoryPage<T, Filter, Field extends string>(
  { first, after, sort, filter: asked }: PageArgs<Filter | null | undefined, Sort<Field>>,
  { maxFirst, filterLimits, walk }: WalkingContext,
  { reached, all, matches, value, id }: InMemory<T, Filter, Field>,
): Promise<Connection<T>> {
  checkFirst(first, maxFirst);
  const filter = readFilter(asked, filterLimits);
  await reached();
  const pager = createPager({ sort, value, id }, { first, after });
  let found = 0;
  await walk(all(), testsOf(filter) + sort.length, (item) => {
    if (filter != null && !matches(filter, item)) return;
    found++;
    pager.add(item);
  });
  const page = pager.page();
  return { pageInfo: () => pageInfoOf(page), edges: () => page.edges, totalCount: () => found };
}
