// Filters on the data source of a row, and on whatever else a row does not hold itself.
import type { FilterIDInput, FilterOfDataSource, FilterStringInput } from "../../../schemas/filters.ts";
import type { DataSourceIds, DataSourcePredicate } from "../../history/queries/records.ts";
import { all, given, not, type Params } from "./sql.ts";

/**
 * Splits off `ne`, so that it means "not the one that equals": a row whose other side is unknown passes it.
 * `holds` answers a filter without `ne`.
 */
export function withoutNe<Filter extends FilterIDInput | FilterStringInput>(
  filter: Filter,
  holds: (positive: FilterIDInput & FilterStringInput) => string,
): string {
  const { ne, ...rest } = filter;
  const conditions: string[] = [];
  if (Object.values(rest).some(given)) conditions.push(holds(rest));
  if (given(ne)) conditions.push(not(holds({ eq: ne })));
  return all(conditions);
}

/** Conditions on the column data_source_id. */
export function compileDataSource(params: Params, ids: DataSourceIds, filter: FilterOfDataSource): string[] {
  const among = (predicate: DataSourcePredicate) => {
    const found = ids(predicate);
    return found.length === 0 ? "0" : `data_source_id IN ${params.bindList("String", found)}`;
  };
  const conditions: string[] = [];
  for (const field of ["siteId", "pointOfInterestId", "deviceId"] as const) {
    const member = filter[field];
    if (given(member)) conditions.push(withoutNe(member, (positive) => among({ field, filter: positive })));
  }
  const { dataSourceType, dataSourceLabels } = filter;
  if (given(dataSourceType)) {
    conditions.push(withoutNe(dataSourceType, (positive) => among({ field: "type", filter: positive })));
  }
  if (given(dataSourceLabels)) conditions.push(among({ field: "labels", filter: dataSourceLabels }));
  return conditions;
}
