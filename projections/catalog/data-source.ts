import type { FilterDataSourceInput } from "../../schemas/filters.ts";
import { dataSourceFields } from "../filters/data-sources.ts";
import { matches } from "../filters/match.ts";
import { byName, defineEntity, type EntityOf, type Listing } from "./define-entity.ts";
import { placed } from "./placed.ts";

export type DataSource = EntityOf<"dataSource">;

const listing: Listing<"dataSource", FilterDataSourceInput> = {
  plural: "dataSources",
  matches: (filter, source, entities) => matches(dataSourceFields, filter, placed(source, entities)),
  sortValue: byName,
};

export const dataSource = defineEntity({
  kind: "dataSource",
  name: "data source",
  fields: {
    name: { type: "name", nullable: false },
    type: { type: "word", nullable: false },
    labels: { type: "names", nullable: true },
  },
  listing,
});
