import type { FilterZoneIntersectionInput } from "../../../schemas/filters.ts";
import { combine, given, type Params } from "./sql.ts";
import { compileId, compileString, compileTime } from "./values.ts";

/** Over the columns of zone_intersections_v1. */
export function compileIntersectionFilter(params: Params, filter: FilterZoneIntersectionInput): string {
  const own: string[] = [];
  if (given(filter.zoneId)) own.push(compileId(params, { sql: "zone_id" }, filter.zoneId));
  if (given(filter.time)) own.push(compileTime(params, { sql: "start_time" }, filter.time));
  if (given(filter.dataSourceId)) own.push(compileId(params, { sql: "data_source_id" }, filter.dataSourceId));
  if (given(filter.tag)) own.push(compileString(params, { sql: "tag", anyCase: true }, filter.tag));
  return combine(filter, own, (nested) => compileIntersectionFilter(params, nested));
}
