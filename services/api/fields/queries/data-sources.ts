import { pageOf } from "../../../../projections/catalog/page.ts";
import { dataSourceFields } from "../../../../projections/filters/data-sources.ts";
import { matches } from "../../../../projections/filters/match.ts";
import { readFilter } from "../../../../projections/filters/read-filter.ts";
import type { DataSourceEntry } from "../../../../schemas/events.ts";
import type { DataSourceSort, FilterDataSourceInput } from "../../../../schemas/filters.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { type PageArgs, toConnection } from "../../read/connection.ts";
import { checkFirst } from "../../read/first.ts";

export async function dataSources(
  _root: unknown,
  { filter: asked, first, after, sort }: PageArgs<FilterDataSourceInput | null | undefined, DataSourceSort>,
  context: ApiContext,
) {
  checkFirst(first, context.maxFirst);
  const filter = readFilter(asked, context.filterLimits);
  await context.catalogReached();
  const found = [...context.catalog.dataSources()].filter(
    (source) => filter == null || matches(dataSourceFields, filter, source),
  );
  const id = (source: DataSourceEntry) => source.dataSourceId;
  const value = (source: DataSourceEntry, field: DataSourceSort["field"]) =>
    field === "NAME" ? source.name : source.dataSourceId;
  return toConnection(pageOf(found, { sort, value, id }, { first, after }), () => found.length);
}
