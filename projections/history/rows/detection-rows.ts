import type { Detection } from "../../../schemas/events.ts";
import type { Recorded, Table } from "./table.ts";

/** Times in milliseconds: an integer in JSON is what a DateTime64(3) counts. */
export type DetectionRow = readonly [
  dataSourceId: string,
  trackId: string,
  timestamp: number,
  rings: readonly (readonly number[])[],
  polygonCrs: string | null,
  longitude: number | null,
  latitude: number | null,
  altitude: number | null,
  positionCrs: string | null,
  direction: number | null,
  metadata: string | null,
  recordedAt: number,
  partition: number,
  offset: number,
  item: number,
];

export const detectionsTable: Table = {
  name: "detections_v1",
  columns: [
    "data_source_id",
    "track_id",
    "timestamp",
    "rings",
    "polygon_crs",
    "longitude",
    "latitude",
    "altitude",
    "position_crs",
    "direction",
    "metadata",
    "recorded_at",
    "partition",
    "offset",
    "item",
  ],
};

const NO_RINGS: readonly (readonly number[])[] = [];

/** `item` is the detection's number in its message. */
export function detectionRow(
  dataSourceId: string,
  { trackId, timestamp, polygon, position, direction, metadata }: Detection,
  { partition, offset, recordedAt }: Recorded,
  item: number,
): DetectionRow {
  return [
    dataSourceId,
    trackId,
    timestamp,
    polygon === null ? NO_RINGS : polygon.rings,
    polygon === null ? null : polygon.crs,
    position === null ? null : position.longitude,
    position === null ? null : position.latitude,
    position === null ? null : position.altitude,
    position === null ? null : position.crs,
    direction,
    metadata,
    recordedAt,
    partition,
    offset,
    item,
  ];
}
