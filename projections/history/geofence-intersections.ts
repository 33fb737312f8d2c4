// The table geofence_intersections_v1: one row per intersection, in the state that its latest cause gave it.
import type { GeofenceIntersectionChanged } from "../../schemas/events.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import type { GeofenceIntersectionRecord } from "./queries/records.ts";
import { type RecordedStay, rebasedStay, stayColumns, stayId, stayRecord } from "./stays.ts";
import { columnsFrom, createReader, createTable, textColumn, type WireRow } from "./table.ts";

const columns = columnsFrom<RecordedStay<GeofenceIntersectionChanged>>()({
  ...stayId,
  geofence_id: { from: ({ event }) => event.geofenceId, read: textColumn },
  ...stayColumns,
});

export const geofenceIntersectionsTable = createTable("geofence_intersections_v1", columns);

/** The camera-log ranks the rows: intersections derive from its offsets. */
export const geofenceIntersectionsHistory: HistoryKind<"geofence-intersections"> = {
  topic: "geofence-intersections",
  rankedBy: "camera-log",
  tables: [geofenceIntersectionsTable],
  byMonth: [geofenceIntersectionsTable],
  createRows: () => rowPerEvent(geofenceIntersectionsTable, ({ event }, { recordedAt }) => ({ event, recordedAt })),
  rebase: ({ type, event }, _partition, rankBase) => ({ type, event: rebasedStay(event, rankBase) }),
};

const reader = createReader(columns);

export const geofenceIntersectionSelect = reader.select;

export function geofenceIntersectionRecord(wire: WireRow): GeofenceIntersectionRecord {
  const row = reader.read(wire);
  return { ...stayRecord(row), geofenceId: row.geofence_id };
}
