import type { GeoPosition } from "../../schemas/events.ts";
import type {
  FilterDetectionActivityInput,
  FilterDetectionInput,
  FilterIDInput,
  FilterStringInput,
} from "../../schemas/filters.ts";
import type { Asking, Fields } from "./fields.ts";
import { anyIdTest } from "./kinds/list.ts";
import { time } from "./kinds/number.ts";
import { point } from "./kinds/point.ts";
import { compileString, id, string, withoutNe } from "./kinds/string.ts";
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
  dataSourceId: id({ value: (detection) => detection.dataSourceId, sql: "data_source_id", isKey: true }),
  deviceId: fieldsOfDataSource.deviceId,
  tag: {
    ...string({ value: ({ tag }: DetectionActivitySubject) => tag, anyCase: true }),
    isKey: false,
    compile: ofTrack,
  },
  zoneId: {
    isKey: false,
    test: (filter) => {
      const passes = anyIdTest(filter);
      return ({ zoneIds }) => passes(zoneIds);
    },
    compile: during({ table: "zone_intersections_v1", column: "zone_id", isJudged: "notEmpty(rings)" }),
  },
  geofenceId: {
    isKey: false,
    test: (filter) => {
      const passes = anyIdTest(filter);
      return ({ geofenceIds }) => passes(geofenceIds);
    },
    compile: during({ table: "geofence_intersections_v1", column: "geofence_id", isJudged: "longitude IS NOT NULL" }),
  },
  position: point(({ position }) => (position === null ? [] : [position]), {
    longitude: "longitude",
    latitude: "latitude",
  }),
};

/** The SQL is over the columns of detections_v1. */
export const detectionFields: Fields<FilterDetectionInput, DetectionSubject> = {
  time: time({ value: (detection) => detection.timestamp, sql: "timestamp", isKey: true }),
  trackId: id({ value: (detection) => detection.trackId, sql: "track_id", isKey: true }),
  ...detectionActivityFields,
};

/** The tag is a field of the track, not of the detection. */
function ofTrack(filter: FilterStringInput, { params, tracks }: Asking): string {
  return withoutNe(filter, (positive) => {
    const tag = compileString(params, { sql: "tag", anyCase: true }, positive);
    const asked = tracks === undefined ? tag : `(data_source_id, track_id) IN (${tracks}) AND ${tag}`;
    return `(data_source_id, track_id) IN (SELECT data_source_id, track_id FROM tracks_current_v1 WHERE ${asked})`;
  });
}

interface Stays {
  readonly table: string;
  /** With the id of the zone or geofence. */
  readonly column: string;
  /** Only such a detection is in any. */
  readonly isJudged: string;
}

/** A detection with a polygon (a position) is in a zone (a geofence) while an intersection of its track with it runs. */
function during({ table, column, isJudged }: Stays) {
  return (filter: FilterIDInput, { params, scope }: Asking): string =>
    withoutNe(filter, (positive) => {
      const wanted = compileString(params, { sql: column }, positive);
      return `${isJudged} AND (data_source_id, track_id, timestamp) IN (
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
