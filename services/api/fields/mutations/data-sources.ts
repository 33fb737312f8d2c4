import { dataSource } from "../../../../projections/catalog/data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { removeZone } from "../../write/zone-steps.ts";
import { type EntityMutations, mutationsOf } from "../entities.ts";

export function dataSourceMutations(deps: MutationDeps): EntityMutations {
  const mutations = mutationsOf(dataSource, deps.now);
  return {
    ...mutations,
    /** Deletes its zones first: clients could no longer reach a zone without a data source. */
    async remove(id, context) {
      mutations.checkRemovable(id, context);
      const zones = context.zones.zonesOf(id);
      await Promise.all(zones.map(({ zoneId }) => removeZone(deps, context, zoneId)));
      return mutations.remove(id, context);
    },
  };
}
