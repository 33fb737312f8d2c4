// Answers what the history asks about data sources.
import { holds } from "../filters/of-data-source.ts";
import type { DataSourceIds } from "../history/queries/records.ts";
import type { Catalog } from "./catalog.ts";
import { placed } from "./placed.ts";

export const createDataSourceIds =
  (catalog: Catalog): DataSourceIds =>
  (predicate) => {
    const ids: string[] = [];
    for (const source of catalog.all("dataSource")) {
      const dataSource = placed(source, catalog);
      if (holds(predicate, { dataSourceId: source.id, dataSource })) ids.push(source.id);
    }
    return ids;
  };
