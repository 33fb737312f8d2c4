// The members of a filter about the data source of a row. The history does not store it: the catalog in memory answers
// with the ids of the matching data sources.
import type { FilterOfDataSource, FilterStringInput } from "../../schemas/filters.ts";
import type { PlacedDataSource } from "../catalog/placed.ts";
import type { DataSourceIds, DataSourcePredicate } from "../history/queries/records.ts";
import type { Field, Fields } from "./fields.ts";
import { matchesStringList } from "./kinds/list.ts";
import { matchesId, matchesString, withoutNe } from "./kinds/string.ts";
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
    matches: (filter, subject) => holds({ field: "labels", filter }, subject),
    compile: (filter, { params, dataSourceIds }) => among(params, dataSourceIds({ field: "labels", filter })),
  },
};

function answered(ask: (filter: FilterStringInput) => DataSourcePredicate): Field<FilterStringInput, OfDataSource> {
  return {
    isKey: true,
    matches: (filter, subject) => holds(ask(filter), subject),
    compile: (filter, { params, dataSourceIds }) =>
      withoutNe(filter, (positive) => among(params, dataSourceIds(ask(positive)))),
  };
}

const among = (params: Params, ids: ReturnType<DataSourceIds>): string =>
  ids.length === 0 ? "0" : `data_source_id IN ${params.bindList("String", ids)}`;

/** Ids of the data sources that fulfil the predicate, including unknown ones that it names. */
export function dataSourceIdsOf(predicate: DataSourcePredicate, dataSources: KnownDataSources): string[] {
  const ids: string[] = [];
  for (const [dataSourceId, dataSource] of dataSources.entries()) {
    if (holds(predicate, { dataSourceId, dataSource })) ids.push(dataSourceId);
  }
  if (predicate.field !== "deviceId") return ids;
  const { eq, in: among } = predicate.filter;
  for (const dataSourceId of new Set([...(eq == null ? [] : [eq]), ...(among ?? [])])) {
    if (!dataSources.has(dataSourceId) && holds(predicate, { dataSourceId, dataSource: null })) ids.push(dataSourceId);
  }
  return ids;
}

/** By id. */
export interface KnownDataSources {
  entries(): Iterable<readonly [id: string, dataSource: NonNullable<OfDataSource["dataSource"]>]>;
  has(id: string): boolean;
}

function holds(predicate: DataSourcePredicate, { dataSourceId, dataSource }: OfDataSource): boolean {
  switch (predicate.field) {
    case "type":
      // An unknown data source fails every test of its type, even `attributeExists: false`.
      return (
        matchesString(predicate.filter, dataSource?.type) &&
        (dataSource !== null || predicate.filter.attributeExists !== false)
      );
    case "labels":
      return dataSource !== null && matchesStringList(predicate.filter, dataSource.labels ?? []);
    case "deviceId":
      return matchesId(predicate.filter, dataSource?.deviceId ?? dataSourceId);
    case "siteId":
    case "pointOfInterestId":
      return matchesId(predicate.filter, dataSource?.[predicate.field]);
    default:
      return predicate satisfies never;
  }
}
