import { dataSource } from "../../../../projections/catalog/data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { removeZone } from "../../write/zone-steps.ts";
import { type EntityMutations, mutationsOf } from "../entities.ts";

export function dataSourceMutations(deps: MutationDeps): EntityMutations {
  const mutations = mutationsOf(dataSource, deps.now);
  return {
    ...mutations,
    /** Its zones go with it, first: a zone without a data source could never be reached again. */
    async remove(id, context) {
      mutations.checkRemovable(id, context);
      const zones = context.zones.zonesOf(id);
      await Promise.all(zones.map(({ zoneId }) => removeZone(deps, context, zoneId)));
      return mutations.remove(id, context);
    },
  };
}
