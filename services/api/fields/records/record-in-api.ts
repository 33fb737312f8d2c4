// The fields of the GraphQL schema that a record kind has.
import type { RecordHistory } from "../../../../projections/history/records/define-record-history.ts";
import type { Sort } from "../../../../schemas/filters.ts";
import type { KindTopic } from "../../../../schemas/records/kinds.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { ResolverMap } from "../../graphql/schema.ts";
import type { RecordTopic } from "../../read/await-position.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";
import type { FoundRecords } from "../../read/find-records.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { MutationResolver } from "../mutations/fresh-views.ts";

/** The topics of the kinds that clients write and query. */
export type ApiKindTopic = KindTopic & RecordTopic;

export interface RecordInApi {
  /** Root fields of the Query type. */
  readonly queries: ResolverMap[string];
  /** Root fields of the Mutation type. */
  readonly mutations: (deps: MutationDeps) => Readonly<Record<string, MutationResolver>>;
  /** Types with fields that are not plain members of the record. */
  readonly types: ResolverMap;
}

/** Returns the root field of Query that finds one record by its id. */
export const recordById =
  <Rec>(kind: FoundRecords<Rec>) =>
  async (_root: unknown, { id }: { readonly id: string }, { loaders }: ApiContext): Promise<Rec | null> =>
    (await loaders.record(kind, id)) ?? null;

/**
 * Returns the root field of Query for pages of records. The SDL decides whether the filter may be absent. Without a
 * filter all records match.
 */
export const recordPages =
  <Rec, Filter, SortField extends string>(kind: RecordHistory<ApiKindTopic, Rec, Filter, SortField>) =>
  (_root: unknown, args: PageArgs<Filter | null | undefined, Sort<SortField>>, context: ApiContext) =>
    // The cast is safe: no member of a filter is required here.
    historyQuery({ ...args, filter: args.filter ?? ({} as Filter) }, context, {
      reached: () => context.historyReached(kind.topic),
      page: kind.page,
      count: kind.count,
    });
