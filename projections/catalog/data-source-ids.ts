// Answers the questions of the history about data sources.
import { dataSourceIdsOf } from "../filters/of-data-source.ts";
import type { DataSourceIds } from "../history/queries/records.ts";
import type { Catalog } from "./catalog.ts";
import { placed } from "./placed.ts";

export const createDataSourceIds =
  (catalog: Catalog): DataSourceIds =>
  (predicate) =>
    dataSourceIdsOf(predicate, {
      *entries() {
        for (const source of catalog.all("dataSource")) yield [source.id, placed(source, catalog)] as const;
      },
      has: (id) => catalog.get("dataSource", id) !== undefined,
    });
