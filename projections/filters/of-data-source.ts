// The members of a filter about the data source of a row. The history does not store these fields: the catalog in
// memory returns the ids of the matching data sources, and the condition compares with them.
import type { FilterOfDataSource, FilterStringInput } from "../../schemas/filters.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import type { DataSourceFieldPredicate, DataSourceIds } from "../history/queries/records.ts";
import type { Field, Fields, Test } from "./fields.ts";
import { equalityTest } from "./kinds/equality.ts";
import { listTest } from "./kinds/list.ts";
import { stringTest, withoutNe } from "./kinds/string.ts";
import type { Params } from "./sql/sql.ts";

export interface OfDataSource {
  readonly dataSourceId: string;
  /** Null when the data source is unknown or has been deleted. */
  readonly dataSource: Pick<PlacedDataSource, "type" | "labels" | "deviceId" | "siteId" | "pointOfInterestId"> | null;
}

export const fieldsOfDataSource: Fields<FilterOfDataSource, OfDataSource> = {
  siteId: catalogField((filter) => ({ field: "siteId", filter })),
  pointOfInterestId: catalogField((filter) => ({ field: "pointOfInterestId", filter })),
  deviceId: catalogField((filter) => ({ field: "deviceId", filter })),
  dataSourceType: catalogField((filter) => ({ field: "type", filter })),
  dataSourceLabels: {
    isKey: true,
    test: (filter) => testOfDataSource({ field: "labels", filter }),
    compile: (filter, { params, dataSourceIds }) => inDataSources(params, dataSourceIds({ field: "labels", filter })),
  },
};

function catalogField(
  ask: (filter: FilterStringInput) => DataSourceFieldPredicate,
): Field<FilterStringInput, OfDataSource> {
  return {
    isKey: true,
    test: (filter) => testOfDataSource(ask(filter)),
    compile: (filter, { params, dataSourceIds }) =>
      withoutNe(filter, (positive) => inDataSources(params, dataSourceIds(ask(positive)))),
  };
}

export const inDataSources = (params: Params, ids: ReturnType<DataSourceIds>): string =>
  ids.length === 0 ? "0" : `data_source_id IN ${params.bindList("String", ids)}`;

export function testOfDataSource(predicate: DataSourceFieldPredicate): Test<OfDataSource> {
  const { field, filter } = predicate;
  switch (field) {
    case "type": {
      const passes = stringTest(filter);
      // An unknown data source fails every test of its type, even `attributeExists: false`.
      return ({ dataSource }) => passes(dataSource?.type) && (dataSource !== null || filter.attributeExists !== false);
    }
    case "labels": {
      const passes = listTest(filter);
      return ({ dataSource }) => dataSource !== null && passes(dataSource.labels ?? []);
    }
    case "deviceId": {
      const passes = equalityTest(filter);
      return ({ dataSource, dataSourceId }) => passes(dataSource?.deviceId ?? dataSourceId);
    }
    case "siteId":
    case "pointOfInterestId": {
      const passes = equalityTest(filter);
      return ({ dataSource }) => passes(dataSource?.[field]);
    }
    default:
      return predicate satisfies never;
  }
}
