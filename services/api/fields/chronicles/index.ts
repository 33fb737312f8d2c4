// Root fields of chronicles.
import type { ChronicleDescription } from "../../../../projections/chronicles/define-chronicle.ts";
import { activityChronicle, eventChronicle, summaryChronicle } from "../../../../projections/chronicles/kinds.ts";
import type { ChronicleKind } from "../../../../schemas/chronicles/kinds.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { Input } from "../../write/input-fields.ts";
import { eventMutationFields, eventQueryFields } from "./events.ts";
import { chronicleMutationsOf } from "./mutations.ts";
import { chronicleQueriesOf } from "./queries.ts";

export const chronicleQueryFields = {
  ...chronicleQueriesOf(activityChronicle),
  ...chronicleQueriesOf(eventChronicle),
  ...chronicleQueriesOf(summaryChronicle),
  ...eventQueryFields,
};

export function chronicleMutationFields(deps: MutationDeps) {
  const activities = chronicleMutationsOf(activityChronicle, deps);
  return {
    ...mutationFieldsOf(activityChronicle, deps),
    ...mutationFieldsOf(eventChronicle, deps),
    ...mutationFieldsOf(summaryChronicle, deps),
    ...eventMutationFields(deps),
    deleteActivityChronicles: (_root: unknown, { id }: { readonly id: Ids }, context: ApiContext) =>
      activities.removeAll(id, context),
  };
}

type Ids = readonly (string | null)[];
type Args = Readonly<Record<string, Input>>;

function mutationFieldsOf<K extends ChronicleKind>(description: ChronicleDescription<K>, deps: MutationDeps) {
  const { kind } = description;
  const type = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
  const { create, update, remove } = chronicleMutationsOf(description, deps);
  return {
    [`create${type}`]: (_root: unknown, args: Args, context: ApiContext) => create(args[kind] ?? {}, context, [kind]),
    [`update${type}`]: (_root: unknown, args: Args, context: ApiContext) => update(args[kind] ?? {}, context, [kind]),
    [`delete${type}`]: (_root: unknown, { id }: { readonly id: string }, context: ApiContext) => remove(id, context),
  };
}
