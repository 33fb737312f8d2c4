import type { DataSourceEntry } from "../../../schemas/events.ts";
import type { DataSourceSort, FilterDataSourceInput } from "../../../schemas/filters.ts";
import { type PageArgs, toConnection } from "../connection.ts";
import type { ApiContext } from "../context.ts";
import { matchesDataSource } from "../filters/entities.ts";
import { pageOf } from "../filters/page.ts";
import { readFilter } from "../filters/read-filter.ts";
import { checkFirst } from "../first.ts";

export async function dataSources(
  _root: unknown,
  { filter: asked, first, after, sort }: PageArgs<FilterDataSourceInput | null | undefined, DataSourceSort>,
  context: ApiContext,
) {
  checkFirst(first, context.maxFirst);
  const filter = readFilter(asked, context.filterLimits);
  await context.catalogReached();
  const found = [...context.catalog.dataSources()].filter(
    (source) => filter == null || matchesDataSource(filter, source),
  );
  const id = (source: DataSourceEntry) => source.dataSourceId;
  const value = (source: DataSourceEntry, field: DataSourceSort["field"]) =>
    field === "NAME" ? source.name : source.dataSourceId;
  return toConnection(pageOf(found, { sort, value, id }, { first, after }), () => found.length);
}
