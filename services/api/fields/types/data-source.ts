import type { DataSourceEntry } from "../../../../schemas/events.ts";
import type { ApiContext } from "../../graphql/context.ts";

export const DataSource = {
  id: (source: DataSourceEntry) => source.dataSourceId,
  device: () => null,
  zones: (source: DataSourceEntry, _args: unknown, context: ApiContext) => context.zones.zonesOf(source.dataSourceId),
};
