// zone_intersections_v1: one row per intersection, in the state that its latest cause gave it.
import type { ZoneIntersectionChanged } from "../../schemas/events.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import type { IntersectionRecord } from "./queries/records.ts";
import { type Recorded, rebasedStay, stayColumns, stayId, stayRecord } from "./stays.ts";
import { columnsFrom, createReader, createTable, text, type WireRow } from "./table.ts";

export type RecordedIntersection = Recorded<ZoneIntersectionChanged>;

const columns = columnsFrom<RecordedIntersection>()({
  ...stayId,
  zone_id: { from: ({ event }) => event.zoneId, read: text },
  ...stayColumns,
});

export const intersectionsTable = createTable("zone_intersections_v1", columns);

/** Ranked by the camera-log, from whose offsets an intersection derives. */
export const zoneIntersections: HistoryKind<"zone-intersections"> = {
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
