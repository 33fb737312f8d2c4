import { type DataSource, dataSource as description } from "../../../../projections/catalog/data-source.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { removeZoneOf } from "../../write/zone-steps.ts";
import type { EntityMutations } from "../entities.ts";
import { mutationsOf } from "../entity-mutations.ts";
import type { ByHand } from "./by-hand.ts";

export const dataSourceByHand: ByHand = {
  mutations: dataSourceMutations,
  fields: {
    zones: ({ id }: DataSource, _args: unknown, { zones }: ApiContext) => zones.zonesOf(id),
    device: ({ id }: DataSource, _args: unknown, { catalog }: ApiContext) =>
      catalog.referring("device", "dataSourceId", id)[0] ?? null,
  },
};

function dataSourceMutations(deps: MutationDeps): EntityMutations {
  const mutations = mutationsOf(description, deps);
  return {
    ...mutations,
    /** Deletes its zones first: clients could no longer reach a zone without a data source. */
    async remove(id, context) {
      const before = await mutations.checkRemovable(id, context);
      await Promise.all(context.zones.zonesOf(id).map((zone) => removeZoneOf(deps, context, zone)));
      // Another caller may have deleted the data source meanwhile.
      return context.catalog.get("dataSource", id) === undefined ? before : mutations.remove(id, context);
    },
  };
}
