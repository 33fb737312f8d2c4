import type { FilterPointInput, FilterTrackInput, FilterTrackPropertyInput } from "../../../schemas/filters.ts";
import type { DataSourceIds } from "../../history/queries/records.ts";
import { compileDataSource } from "./data-sources.ts";
import { compilePoint } from "./points.ts";
import { all, combine, given, not, type Params } from "./sql.ts";
import { compileBoolean, compileId, compileString, compileTime, compileTimeRange } from "./values.ts";

/** Over the columns of tracks_current_v1. `scope` as for detections: conditions that the rows in question fulfil anyway. */
export function compileTrackFilter(
  params: Params,
  ids: DataSourceIds,
  filter: FilterTrackInput,
  scope: readonly string[] = [],
): string {
  const keys: string[] = [];
  if (given(filter.id)) keys.push(compileId(params, { sql: "track_id" }, filter.id));
  if (given(filter.dataSourceId)) keys.push(compileId(params, { sql: "data_source_id" }, filter.dataSourceId));
  keys.push(...compileDataSource(params, ids, filter));

  const inner = [...scope, ...keys];
  const own = [...keys];
  if (given(filter.time)) own.push(compileTime(params, { sql: "start_time" }, filter.time));
  if (given(filter.timeRange)) own.push(compileTimeRange(params, "start_time", "end_time", filter.timeRange));
  if (given(filter.finished)) own.push(compileBoolean(params, { sql: "(end_time IS NOT NULL)" }, filter.finished));
  if (given(filter.tag)) own.push(compileString(params, { sql: "tag", anyCase: true }, filter.tag));
  if (given(filter.modelId)) own.push(compileId(params, { sql: "model_id", nullable: true }, filter.modelId));
  if (given(filter.position)) own.push(seenAt(params, filter.position, inner));
  if (given(filter.identifier)) own.push(identifier(params, filter.identifier));
  if (given(filter.attribute)) own.push(attribute(params, filter.attribute));
  return combine(filter, own, (nested) => compileTrackFilter(params, ids, nested, inner));
}

/** Some detection of the track fulfils it; `attributeExists: false` asks for a track without any position. */
function seenAt(params: Params, filter: FilterPointInput, scope: readonly string[]): string {
  const { attributeExists, ...place } = filter;
  const seen = (point: FilterPointInput) =>
    `(data_source_id, track_id) IN (SELECT data_source_id, track_id FROM detections_v1 FINAL
      WHERE ${all([...scope, compilePoint(params, point)])})`;
  const conditions: string[] = [];
  if (given(place.in) || given(place.near)) conditions.push(seen(place));
  if (given(attributeExists)) {
    const anywhere = seen({ attributeExists: true });
    conditions.push(attributeExists ? anywhere : not(anywhere));
  }
  return all(conditions);
}

function identifier(params: Params, filter: FilterTrackPropertyInput): string {
  const member = (name: string) => `JSONExtract(ifNull(properties, ''), 'identifier', '${name}', 'Nullable(String)')`;
  return property(params, filter, member("type"), member("value"));
}

/** A track without attributes is judged like one with an attribute whose type and value are missing. */
function attribute(params: Params, filter: FilterTrackPropertyInput): string {
  const type = "Array(Tuple(type Nullable(String), value Nullable(String)))";
  const attributes = `JSONExtract(ifNull(properties, ''), 'attributes', '${type}')`;
  const none = `CAST([(NULL, NULL)], '${type}')`;
  const test = property(params, filter, "attribute.1", "attribute.2");
  return `arrayExists(attribute -> ${test}, if(empty(${attributes}), ${none}, ${attributes}))`;
}

function property(params: Params, filter: FilterTrackPropertyInput, type: string, value: string): string {
  const conditions: string[] = [];
  if (given(filter.type)) conditions.push(compileString(params, { sql: type, nullable: true }, filter.type));
  if (given(filter.value)) conditions.push(compileString(params, { sql: value, nullable: true }, filter.value));
  return all(conditions);
}
