import type { ResolverMap } from "../../graphql/schema.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { EntityMutations } from "../entities.ts";

/** The parts of a kind of entity that its table does not describe. */
export interface ByHand {
  /** The value is "none" when no mutation concerns the kind alone. */
  readonly mutations?: ((deps: MutationDeps) => EntityMutations) | "none";
  /** Fields of the type. */
  readonly fields?: ResolverMap[string];
  /** Root fields of the Query type. They may replace those of the table, e.g. for a look-up by more than the id. */
  readonly queries?: ResolverMap[string];
  /** Further types, by name. */
  readonly types?: ResolverMap;
  /** Further root fields of the Mutation type. */
  readonly moreMutations?: (deps: MutationDeps) => ResolverMap[string];
}
