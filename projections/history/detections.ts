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

export interface RecordedDetection {
  readonly detection: Detection;
  readonly dataSourceId: string;
  readonly recorded: RecordedAt;
  /** The index of the detection in its message. */
  readonly item: number;
}

const NO_RINGS: readonly (readonly number[])[] = [];

const columns = columnsFrom<RecordedDetection>()({
  data_source_id: { from: ({ dataSourceId }) => dataSourceId, read: textColumn },
  track_id: { from: ({ detection }) => detection.trackId, read: textColumn },
  timestamp: { from: ({ detection }) => detection.timestamp, read: timeColumn },
  rings: {
    from: ({ detection: { polygon } }) => (polygon === null ? NO_RINGS : polygon.rings),
    read: numberListsColumn,
  },
  polygon_crs: {
    from: ({ detection: { polygon } }) => (polygon === null ? null : polygon.crs),
    read: textOrNullColumn,
  },
  longitude: {
    from: ({ detection: { position } }) => (position === null ? null : position.longitude),
    read: numberOrNullColumn,
  },
  latitude: {
    from: ({ detection: { position } }) => (position === null ? null : position.latitude),
    read: numberOrNullColumn,
  },
  altitude: {
    from: ({ detection: { position } }) => (position === null ? null : position.altitude),
    read: numberOrNullColumn,
  },
  position_crs: {
    from: ({ detection: { position } }) => (position === null ? null : position.crs),
    read: textOrNullColumn,
  },
  direction: { from: ({ detection }) => detection.direction, read: numberOrNullColumn },
  metadata: { from: ({ detection }) => detection.metadata, read: textOrNullColumn },
  recorded_at: { from: ({ recorded }) => recorded.recordedAt, read: timeColumn },
  partition: { from: ({ recorded }) => recorded.partition },
  offset: { from: ({ recorded }) => recorded.offset },
  item: { from: ({ item }) => item },
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
