// The table zone_intersections_v1: one row per intersection, in the state that its latest cause gave it.
import type { ZoneIntersectionChanged } from "../../schemas/events.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import type { IntersectionRecord } from "./queries/records.ts";
import { type RecordedStay, rebasedStay, stayColumns, stayId, stayRecord } from "./stays.ts";
import { columnsFrom, createReader, createTable, textColumn, type WireRow } from "./table.ts";

export type RecordedIntersection = RecordedStay<ZoneIntersectionChanged>;

const columns = columnsFrom<RecordedIntersection>()({
  ...stayId,
  zone_id: { from: ({ event }) => event.zoneId, read: textColumn },
  ...stayColumns,
});

export const intersectionsTable = createTable("zone_intersections_v1", columns);

/** The camera-log ranks the rows: intersections derive from its offsets. */
export const zoneIntersectionsHistory: HistoryKind<"zone-intersections"> = {
  topic: "zone-intersections",
  rankedBy: "camera-log",
  tables: [intersectionsTable],
  byMonth: [intersectionsTable],
  createRows: () => rowPerEvent(intersectionsTable, ({ event }, { recordedAt }) => ({ event, recordedAt })),
  rebase: ({ type, event }, _partition, rankBase) => ({ type, event: rebasedStay(event, rankBase) }),
};

const reader = createReader(columns);

export const intersectionSelect = reader.select;

export function intersectionRecord(wire: WireRow): IntersectionRecord {
  const row = reader.read(wire);
  return { ...stayRecord(row), zoneId: row.zone_id };
}
