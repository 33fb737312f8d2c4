// zone_intersections_v1: one row per intersection, in the state that its latest cause gave it.
import type { Typed, ZoneIntersectionChanged } from "../../schemas/events.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import type { IntersectionRecord } from "./queries/records.ts";
import { columnsFrom, createReader, createTable, text, time, timeOrNull, type WireRow } from "./table.ts";

export interface RecordedIntersection {
  readonly event: ZoneIntersectionChanged;
  /** Broker time, ms. */
  readonly recordedAt: number;
}

const columns = columnsFrom<RecordedIntersection>()({
  intersection_id: { from: ({ event }) => event.intersectionId, read: text },
  zone_id: { from: ({ event }) => event.zoneId, read: text },
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

export const intersectionsTable = createTable("zone_intersections_v1", columns);

/** Ranked by the camera-log, from whose offsets an intersection derives. */
export const zoneIntersections: HistoryKind<"zone-intersections"> = {
  topic: "zone-intersections",
  rankedBy: "camera-log",
  tables: [intersectionsTable],
  byMonth: [intersectionsTable],
  createRows: () => rowPerEvent(intersectionsTable, ({ event }, { recordedAt }) => ({ event, recordedAt })),
  rebase: (message, _partition, rankBase) => rebaseIntersection(message, rankBase),
};

type Change = Typed<"ZoneIntersectionChanged">;

export function rebaseIntersection({ type, event }: Change, rankBase: (partition: number) => number): Change {
  const { cause } = event;
  return { type, event: { ...event, cause: { ...cause, offset: rankBase(cause.partition) + cause.offset } } };
}

const reader = createReader(columns);

export const intersectionSelect = reader.select;

export function intersectionRecord(wire: WireRow): IntersectionRecord {
  const row = reader.read(wire);
  return {
    intersectionId: row.intersection_id,
    zoneId: row.zone_id,
    trackId: row.track_id,
    dataSourceId: row.data_source_id,
    tag: row.tag,
    startTime: row.start_time,
    endTime: row.end_time,
    lastInside: row.last_inside,
  };
}
