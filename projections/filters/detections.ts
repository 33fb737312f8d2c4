import type { GeoPosition } from "../../schemas/events.ts";
import type {
  DetectionFilter,
  FilterDetectionActivityInput,
  FilterIDInput,
  FilterStringInput,
} from "../../schemas/filters.ts";
import type { CompileContext, Fields } from "./fields.ts";
import { anyIdTest } from "./kinds/list.ts";
import { timeField } from "./kinds/number.ts";
import { point } from "./kinds/point.ts";
import { compileString, idField, stringField, withoutNe } from "./kinds/string.ts";
import { fieldsOfDataSource, type OfDataSource } from "./of-data-source.ts";
import { all } from "./sql/sql.ts";

export interface DetectionActivitySubject extends OfDataSource {
  readonly tag: string;
  readonly position: GeoPosition | null;
  /** Zones that the detection intersects. */
  readonly zoneIds: readonly string[];
  /** Geofences that the detection intersects. */
  readonly geofenceIds: readonly string[];
}

export interface DetectionSubject extends DetectionActivitySubject {
  readonly trackId: string;
  readonly timestamp: number;
}

export const detectionActivityFields: Fields<FilterDetectionActivityInput, DetectionActivitySubject> = {
  dataSourceId: idField({ value: (detection) => detection.dataSourceId, sql: "data_source_id", isKey: true }),
  deviceId: fieldsOfDataSource.deviceId,
  tag: {
    ...stringField({ value: ({ tag }: DetectionActivitySubject) => tag, anyCase: true }),
    isKey: false,
    compile: ofTrack,
  },
  zoneId: {
    isKey: false,
    test: (filter) => {
      const passes = anyIdTest(filter);
      return ({ zoneIds }) => passes(zoneIds);
    },
    compile: during({ table: "zone_intersections_v1", column: "zone_id", canIntersect: "notEmpty(rings)" }),
  },
  geofenceId: {
    isKey: false,
    test: (filter) => {
      const passes = anyIdTest(filter);
      return ({ geofenceIds }) => passes(geofenceIds);
    },
    compile: during({
      table: "geofence_intersections_v1",
      column: "geofence_id",
      canIntersect: "longitude IS NOT NULL",
    }),
  },
  position: point(({ position }) => (position === null ? [] : [position]), {
    longitude: "longitude",
    latitude: "latitude",
  }),
};

/** The SQL refers to the columns of detections_v1. */
export const detectionFields: Fields<DetectionFilter, DetectionSubject> = {
  time: timeField({ value: (detection) => detection.timestamp, sql: "timestamp", isKey: true }),
  trackId: idField({ value: (detection) => detection.trackId, sql: "track_id", isKey: true }),
  ...detectionActivityFields,
};

/** The tag is a field of the track, not of the detection. */
function ofTrack(filter: FilterStringInput, { params, tracks }: CompileContext): string {
  return withoutNe(filter, (positive) => {
    const tag = compileString(params, { sql: "tag", anyCase: true }, positive);
    const asked = tracks === undefined ? tag : `(data_source_id, track_id) IN (${tracks}) AND ${tag}`;
    return `(data_source_id, track_id) IN (SELECT data_source_id, track_id FROM tracks_current_v1 WHERE ${asked})`;
  });
}

interface Stays {
  readonly table: string;
  /** The column with the id of the zone or geofence. */
  readonly column: string;
  /** The condition on a detection that can be in a zone or geofence. All other detections are in none. */
  readonly canIntersect: string;
}

/**
 * Compiles the rule: a detection with a polygon is in a zone, and one with a position is in a geofence, while an
 * intersection of its track with the zone or geofence lasts.
 */
function during({ table, column, canIntersect }: Stays) {
  return (filter: FilterIDInput, { params, scope }: CompileContext): string =>
    withoutNe(filter, (positive) => {
      const wanted = compileString(params, { sql: column }, positive);
      return `${canIntersect} AND (data_source_id, track_id, timestamp) IN (
      SELECT d.data_source_id, d.track_id, d.timestamp
      FROM (
        SELECT data_source_id, track_id, timestamp FROM detections_v1
        WHERE ${all([...scope, `track_id IN (SELECT track_id FROM ${table} WHERE ${wanted})`])}
      ) AS d
      INNER JOIN (
        SELECT data_source_id, track_id, start_time, if(end_time IS NULL, NULL, last_inside) AS until
        FROM ${table} FINAL WHERE ${wanted}
      ) AS z ON d.data_source_id = z.data_source_id AND d.track_id = z.track_id
      WHERE d.timestamp >= z.start_time AND (z.until IS NULL OR d.timestamp <= z.until))`;
    });
}
