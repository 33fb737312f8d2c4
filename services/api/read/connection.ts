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

/** `totalCount` is a function: graphql-js calls it only when the field is selected. */
export interface Connection<T> {
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly edges: Page<T>["edges"];
  readonly totalCount: () => number | Promise<number>;
}

function toConnection<T>(page: Page<T>, totalCount: () => number | Promise<number>): Connection<T> {
  return {
    pageInfo: {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      startCursor: page.edges[0]?.cursor ?? null,
      endCursor: page.edges.at(-1)?.cursor ?? null,
    },
    edges: page.edges,
    totalCount,
  };
}

/** A page of the history; an empty page (first: 0) still says whether there is more. */
async function historyPage<T, Filter, Sort>(
  args: PageArgs<Filter, Sort>,
  maxFirst: number,
  ask: (request: PageArgs<Filter, Sort>) => Promise<Page<T>>,
): Promise<Page<T>> {
  const first = checkFirst(args.first, maxFirst);
  if (first > 0) return ask(args);
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
  const filter = readFilter(args.filter, filterLimits);
  await reached();
  const found = await historyPage({ ...args, filter }, maxFirst, (request) => page(history, request));
  return toConnection(found, () => count(history, filter));
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
  return toConnection(pageOf(found, { sort, value, id }, { first, after }), () => found.length);
}
