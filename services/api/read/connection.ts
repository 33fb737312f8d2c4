// Pages of the history and of views in memory, as GraphQL connections.
import { pageOf } from "../../../projections/catalog/page.ts";
import { type FilterLimits, readFilter } from "../../../projections/filters/read-filter.ts";
import type { History, Page, PageRequest } from "../../../projections/history/queries/records.ts";
import type { Sort } from "../../../schemas/filters.ts";
import { checkFirst } from "./first.ts";

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

/** Functions: graphql-js calls them only when the field is selected. */
export interface Connection<T> {
  readonly pageInfo: () => PageInfo | Promise<PageInfo>;
  readonly edges: () => Page<T>["edges"] | Promise<Page<T>["edges"]>;
  readonly totalCount: () => number | Promise<number>;
}

const pageInfo = <T>({ edges, hasNextPage, hasPreviousPage }: Page<T>): PageInfo => ({
  hasNextPage,
  hasPreviousPage,
  startCursor: edges[0]?.cursor ?? null,
  endCursor: edges.at(-1)?.cursor ?? null,
});

/** A page of the history; an empty page (first: 0) still says whether there is more. */
async function historyPage<T, Filter, Sort>(
  args: PageArgs<Filter, Sort>,
  ask: (request: PageArgs<Filter, Sort>) => Promise<Page<T>>,
): Promise<Page<T>> {
  if (args.first > 0) return ask(args);
  const { edges, hasPreviousPage } = await ask({ ...args, first: 1 });
  return { edges: [], hasNextPage: edges.length > 0, hasPreviousPage };
}

/** A list of the history: its page, and how many there are. */
interface InHistory<T, Filter, Sort> {
  reached(): Promise<void>;
  page(history: History, request: PageRequest<Filter, Sort>): Promise<Page<T>>;
  count(history: History, filter: Filter): Promise<number>;
}

/** A page of the history, once the history has reached the position that the caller asks for. */
export async function historyQuery<T, Filter, Sort>(
  args: PageArgs<Filter, Sort>,
  context: { readonly history: History; readonly maxFirst: number; readonly filterLimits: FilterLimits },
  { reached, page, count }: InHistory<T, Filter, Sort>,
): Promise<Connection<T>> {
  const { history, maxFirst, filterLimits } = context;
  checkFirst(args.first, maxFirst);
  const filter = readFilter(args.filter, filterLimits);
  await reached();
  let asked: Promise<Page<T>> | undefined;
  const found = () => {
    asked ??= historyPage({ ...args, filter }, (request) => page(history, request));
    return asked;
  };
  return {
    pageInfo: async () => pageInfo(await found()),
    edges: async () => (await found()).edges,
    totalCount: () => count(history, filter),
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

/** A page of a view in memory, once the view has reached the position that the caller asks for. */
export async function memoryPage<T, Filter, Field extends string>(
  { first, after, sort, filter: asked }: PageArgs<Filter | null | undefined, Sort<Field>>,
  { maxFirst, filterLimits }: { readonly maxFirst: number; readonly filterLimits: FilterLimits },
  { reached, all, matches, value, id }: InMemory<T, Filter, Field>,
): Promise<Connection<T>> {
  checkFirst(first, maxFirst);
  const filter = readFilter(asked, filterLimits);
  await reached();
  const found: T[] = [];
  for (const item of all()) if (filter == null || matches(filter, item)) found.push(item);
  const page = pageOf(found, { sort, value, id }, { first, after });
  return { pageInfo: () => pageInfo(page), edges: () => page.edges, totalCount: () => found.length };
}
