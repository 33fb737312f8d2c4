// What the kinds of entities have beside what their tables say.
import type { CatalogKind } from "../../../schemas/catalog/kinds.ts";
import type { ResolverMap } from "../graphql/schema.ts";
import type { MutationDeps } from "../write/deps.ts";
import type { EntityMutations } from "./entities.ts";
import { dataSourceMutations } from "./mutations/data-sources.ts";
import { DataSource } from "./types/data-source.ts";

interface ByHand {
  readonly mutations?: (deps: MutationDeps) => EntityMutations;
  /** Fields of the type. */
  readonly fields?: ResolverMap[string];
}

const none = () => [];

export const byHand: Readonly<Partial<Record<CatalogKind, ByHand>>> = {
  dataSource: { mutations: dataSourceMutations, fields: { ...DataSource, device: () => null } },
  // Nobody can create any of these yet.
  site: { fields: { devices: none, pointsOfInterest: none, geofences: none } },
};
