import type { ZoneIntersectionChanged } from "../../../schemas/events.ts";
import type { Table } from "./table.ts";

/** Times in milliseconds. */
export type IntersectionRow = readonly [
  intersectionId: string,
  zoneId: string,
  trackId: string,
  dataSourceId: string,
  tag: string,
  startTime: number,
  endTime: number | null,
  lastInside: number,
  causePartition: number,
  causeOffset: number,
  causeItem: number,
  recordedAt: number,
];

export const intersectionsTable: Table = {
  name: "zone_intersections_v1",
  columns: [
    "intersection_id",
    "zone_id",
    "track_id",
    "data_source_id",
    "tag",
    "start_time",
    "end_time",
    "last_inside",
    "cause_partition",
    "cause_offset",
    "cause_item",
    "recorded_at",
  ],
};

export function intersectionRow(event: ZoneIntersectionChanged, recordedAt: number): IntersectionRow {
  const { cause } = event;
  return [
    event.intersectionId,
    event.zoneId,
    event.trackId,
    event.dataSourceId,
    event.tag,
    event.startTime,
    event.endTime,
    event.lastInside,
    cause.partition,
    cause.offset,
    cause.index,
    recordedAt,
  ];
}
