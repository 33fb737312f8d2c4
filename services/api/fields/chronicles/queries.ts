// Queries of chronicles: one by its id, and pages of all.
import type { ChronicleDescription } from "../../../../projections/chronicles/define-chronicle.ts";
import { type ChronicleQueries, chronicleQueries } from "../../../../projections/history/chronicles/pages.ts";
import type { ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import type { Sort } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { historyQuery, type PageArgs } from "../../read/connection.ts";

type ListArgs = PageArgs<object | null | undefined, Sort<string>>;

export function chronicleQueriesOf<K extends ChronicleKind>({ kind, plural }: ChronicleDescription<K>) {
  const { page, count }: ChronicleQueries<K> = chronicleQueries[kind];
  return {
    [kind]: async (_root: unknown, { id }: { readonly id: string }, { loaders }: ApiContext) =>
      (await loaders.chronicle(kind, id)) ?? null,
    [plural]: (_root: unknown, args: ListArgs, context: ApiContext) =>
      historyQuery({ ...args, filter: args.filter ?? {} }, context, {
        reached: () => context.historyReached("chronicles"),
        page,
        count,
      }),
  };
}
