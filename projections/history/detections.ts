// The table detections_v1: one row per track and timestamp, from the first such detection in the log.
import type { Detection } from "../../schemas/events.ts";
import type { DetectionRecord } from "./queries/records.ts";
import {
  columnsFrom,
  createReader,
  createTable,
  numberListsColumn,
  numberOrNullColumn,
  type RecordedAt,
  textColumn,
  textOrNullColumn,
  timeColumn,
  type WireRow,
} from "./table.ts";

export interface RecordedDetection extends Detection {
  readonly dataSourceId: string;
  readonly recorded: RecordedAt;
  /** The index of the detection in its message. */
  readonly item: number;
}

const NO_RINGS: readonly (readonly number[])[] = [];

const columns = columnsFrom<RecordedDetection>()({
  data_source_id: { from: (d) => d.dataSourceId, read: textColumn },
  track_id: { from: (d) => d.trackId, read: textColumn },
  timestamp: { from: (d) => d.timestamp, read: timeColumn },
  rings: { from: ({ polygon }) => (polygon === null ? NO_RINGS : polygon.rings), read: numberListsColumn },
  polygon_crs: { from: ({ polygon }) => (polygon === null ? null : polygon.crs), read: textOrNullColumn },
  longitude: { from: ({ position }) => (position === null ? null : position.longitude), read: numberOrNullColumn },
  latitude: { from: ({ position }) => (position === null ? null : position.latitude), read: numberOrNullColumn },
  altitude: { from: ({ position }) => (position === null ? null : position.altitude), read: numberOrNullColumn },
  position_crs: { from: ({ position }) => (position === null ? null : position.crs), read: textOrNullColumn },
  direction: { from: (d) => d.direction, read: numberOrNullColumn },
  metadata: { from: (d) => d.metadata, read: textOrNullColumn },
  recorded_at: { from: ({ recorded }) => recorded.recordedAt, read: timeColumn },
  partition: { from: ({ recorded }) => recorded.partition },
  offset: { from: ({ recorded }) => recorded.offset },
  item: { from: (d) => d.item },
});

export const detectionsTable = createTable("detections_v1", columns);

const reader = createReader(columns);

export const detectionSelect = reader.select;

export function detectionRecord(wire: WireRow): DetectionRecord {
  const row = reader.read(wire);
  const { longitude, latitude, altitude } = row;
  return {
    trackId: row.track_id,
    dataSourceId: row.data_source_id,
    timestamp: row.timestamp,
    polygon: row.rings.length === 0 ? null : { rings: row.rings, crs: row.polygon_crs },
    position: longitude === null || latitude === null ? null : { longitude, latitude, altitude, crs: row.position_crs },
    direction: row.direction,
    metadata: row.metadata,
    recordedAt: row.recorded_at,
  };
}
