import { dataSource } from "../../../../projections/catalog/data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { removeZoneOf } from "../../write/zone-steps.ts";
import { type EntityMutations, mutationsOf } from "../entities.ts";

export function dataSourceMutations(deps: MutationDeps): EntityMutations {
  const mutations = mutationsOf(dataSource, deps.now);
  return {
    ...mutations,
    /** Deletes its zones first: clients could no longer reach a zone without a data source. */
    async remove(id, context) {
      const before = mutations.checkRemovable(id, context);
      await Promise.all(context.zones.zonesOf(id).map((zone) => removeZoneOf(deps, context, zone)));
      // Another caller may have been first.
      return context.catalog.get("dataSource", id) === undefined ? before : mutations.remove(id, context);
    },
  };
}
