// geofence_intersections_v1: one row per intersection, in the state that its latest cause gave it.
import type { GeofenceIntersectionChanged, Typed } from "../../schemas/events.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import type { GeofenceIntersectionRecord } from "./queries/records.ts";
import { columnsFrom, createReader, createTable, text, time, timeOrNull, type WireRow } from "./table.ts";

interface RecordedIntersection {
  readonly event: GeofenceIntersectionChanged;
  /** Broker time, ms. */
  readonly recordedAt: number;
}

const columns = columnsFrom<RecordedIntersection>()({
  intersection_id: { from: ({ event }) => event.intersectionId, read: text },
  geofence_id: { from: ({ event }) => event.geofenceId, read: text },
  track_id: { from: ({ event }) => event.trackId, read: text },
  data_source_id: { from: ({ event }) => event.dataSourceId, read: text },
  tag: { from: ({ event }) => event.tag, read: text },
  start_time: { from: ({ event }) => event.startTime, read: time },
  end_time: { from: ({ event }) => event.endTime, read: timeOrNull },
  last_inside: { from: ({ event }) => event.lastInside, read: time },
  cause_partition: { from: ({ event }) => event.cause.partition },
  cause_offset: { from: ({ event }) => event.cause.offset },
  cause_item: { from: ({ event }) => event.cause.index },
  recorded_at: { from: ({ recordedAt }) => recordedAt },
});

export const geofenceIntersectionsTable = createTable("geofence_intersections_v1", columns);

/** Ranked by the camera-log, from whose offsets an intersection derives. */
export const geofenceIntersections: HistoryKind<"geofence-intersections"> = {
  topic: "geofence-intersections",
  rankedBy: "camera-log",
  tables: [geofenceIntersectionsTable],
  byMonth: [geofenceIntersectionsTable],
  createRows: () => rowPerEvent(geofenceIntersectionsTable, ({ event }, { recordedAt }) => ({ event, recordedAt })),
  rebase: ({ type, event }, _partition, rankBase) => rebased({ type, event }, rankBase),
};

function rebased({ type, event }: Typed<"GeofenceIntersectionChanged">, rankBase: (partition: number) => number) {
  const { cause } = event;
  return { type, event: { ...event, cause: { ...cause, offset: rankBase(cause.partition) + cause.offset } } };
}

const reader = createReader(columns);

export const geofenceIntersectionSelect = reader.select;

export function geofenceIntersectionRecord(wire: WireRow): GeofenceIntersectionRecord {
  const row = reader.read(wire);
  return {
    intersectionId: row.intersection_id,
    geofenceId: row.geofence_id,
    trackId: row.track_id,
    dataSourceId: row.data_source_id,
    tag: row.tag,
    startTime: row.start_time,
    endTime: row.end_time,
    lastInside: row.last_inside,
  };
}
