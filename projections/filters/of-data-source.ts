// The members of a filter about the data source of a row. The history does not store it: the catalog in memory answers
// with the ids of the matching data sources.
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
  /** null = unknown, or deleted meanwhile. */
  readonly dataSource: Pick<PlacedDataSource, "type" | "labels" | "deviceId" | "siteId" | "pointOfInterestId"> | null;
}

export const fieldsOfDataSource: Fields<FilterOfDataSource, OfDataSource> = {
  siteId: answered((filter) => ({ field: "siteId", filter })),
  pointOfInterestId: answered((filter) => ({ field: "pointOfInterestId", filter })),
  deviceId: answered((filter) => ({ field: "deviceId", filter })),
  dataSourceType: answered((filter) => ({ field: "type", filter })),
  dataSourceLabels: {
    isKey: true,
    test: (filter) => testOfDataSource({ field: "labels", filter }),
    compile: (filter, { params, dataSourceIds }) => among(params, dataSourceIds({ field: "labels", filter })),
  },
};

function answered(
  ask: (filter: FilterStringInput) => DataSourceFieldPredicate,
): Field<FilterStringInput, OfDataSource> {
  return {
    isKey: true,
    test: (filter) => testOfDataSource(ask(filter)),
    compile: (filter, { params, dataSourceIds }) =>
      withoutNe(filter, (positive) => among(params, dataSourceIds(ask(positive)))),
  };
}

export const among = (params: Params, ids: ReturnType<DataSourceIds>): string =>
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
