import type { DataSource as Source } from "../../../../projections/catalog/data-source.ts";
import type { ApiContext } from "../../graphql/context.ts";

export const DataSource = {
  zones: ({ id }: Source, _args: unknown, context: ApiContext) => context.zones.zonesOf(id),
};
