import type { FilterDetectionInput, FilterIDInput, FilterStringInput } from "../../../schemas/filters.ts";
import type { DataSourceIds } from "../../history/queries/records.ts";
import { compileDataSource, withoutNe } from "./data-sources.ts";
import { compilePoint } from "./points.ts";
import { all, combine, given, type Params } from "./sql.ts";
import { compileId, compileString, compileTime } from "./values.ts";

/**
 * Over the columns of detections_v1; FilterTrackDetectionInput is the same with fewer members. `scope` holds conditions
 * on key columns that the rows in question fulfil anyway: subqueries repeat them to read less.
 */
export function compileDetectionFilter(
  params: Params,
  ids: DataSourceIds,
  filter: FilterDetectionInput,
  scope: readonly string[] = [],
): string {
  const keys: string[] = [];
  if (given(filter.time)) keys.push(compileTime(params, { sql: "timestamp" }, filter.time));
  if (given(filter.dataSourceId)) keys.push(compileId(params, { sql: "data_source_id" }, filter.dataSourceId));
  if (given(filter.trackId)) keys.push(compileId(params, { sql: "track_id" }, filter.trackId));
  keys.push(...compileDataSource(params, ids, { deviceId: filter.deviceId }));

  const inner = [...scope, ...keys];
  const own = [...keys];
  if (given(filter.tag)) own.push(ofTracks(params, filter.tag));
  if (given(filter.zoneId)) own.push(inZones(params, filter.zoneId, inner));
  // No history of geofences yet: nothing is inside one.
  if (given(filter.geofenceId)) own.push(withoutNe(filter.geofenceId, () => "0"));
  if (given(filter.position)) own.push(compilePoint(params, filter.position));
  return combine(filter, own, (nested) => compileDetectionFilter(params, ids, nested, inner));
}

function ofTracks(params: Params, filter: FilterStringInput): string {
  return withoutNe(filter, (positive) => {
    const tag = compileString(params, { sql: "tag", anyCase: true }, positive);
    return `(data_source_id, track_id) IN (SELECT data_source_id, track_id FROM tracks_current_v1 WHERE ${tag})`;
  });
}

/** A detection is in a zone while an intersection of its track and that zone runs. */
function inZones(params: Params, filter: FilterIDInput, scope: readonly string[]): string {
  return withoutNe(filter, (positive) => {
    const zones = compileId(params, { sql: "zone_id" }, positive);
    return `(data_source_id, track_id, timestamp) IN (
      SELECT d.data_source_id, d.track_id, d.timestamp
      FROM (
        SELECT data_source_id, track_id, timestamp FROM detections_v1
        WHERE ${all([...scope, `track_id IN (SELECT track_id FROM zone_intersections_v1 WHERE ${zones})`])}
      ) AS d
      INNER JOIN (
        SELECT data_source_id, track_id, start_time, if(end_time IS NULL, NULL, last_inside) AS until
        FROM zone_intersections_v1 FINAL WHERE ${zones}
      ) AS z ON d.data_source_id = z.data_source_id AND d.track_id = z.track_id
      WHERE d.timestamp >= z.start_time AND (z.until IS NULL OR d.timestamp <= z.until))`;
  });
}
