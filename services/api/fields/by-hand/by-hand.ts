import type { ResolverMap } from "../../graphql/schema.ts";
import type { MutationDeps } from "../../write/deps.ts";
import type { EntityMutations } from "../entities.ts";

/** What a kind of entity has besides what its table says. */
export interface ByHand {
  /** "none": no mutation is about the kind alone. */
  readonly mutations?: ((deps: MutationDeps) => EntityMutations) | "none";
  /** Fields of the type. */
  readonly fields?: ResolverMap[string];
  /** Root fields of the Query type, also in place of those that the table gives: a look-up by more than the id. */
  readonly queries?: ResolverMap[string];
  /** Further types, by name. */
  readonly types?: ResolverMap;
  /** Further root fields of the Mutation type. */
  readonly moreMutations?: (deps: MutationDeps) => ResolverMap[string];
}
