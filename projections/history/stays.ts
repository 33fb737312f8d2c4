// The columns that the tables of zone intersections and of geofence intersections have in common.
import type { GeofenceIntersectionChanged, ZoneIntersectionChanged } from "../../schemas/events.ts";
import { columnsFrom, textColumn, timeColumn, timeOrNullColumn } from "./table.ts";

type StayChanged = ZoneIntersectionChanged | GeofenceIntersectionChanged;

export interface RecordedStay<Event extends StayChanged> {
  readonly event: Event;
  /** Broker time, ms. */
  readonly recordedAt: number;
}

/** The first column; the column of the area follows it. */
export const stayId = columnsFrom<RecordedStay<StayChanged>>()({
  intersection_id: { from: ({ event }) => event.intersectionId, read: textColumn },
});

/** The columns after that of the area. */
export const stayColumns = columnsFrom<RecordedStay<StayChanged>>()({
  track_id: { from: ({ event }) => event.trackId, read: textColumn },
  data_source_id: { from: ({ event }) => event.dataSourceId, read: textColumn },
  tag: { from: ({ event }) => event.tag, read: textColumn },
  start_time: { from: ({ event }) => event.startTime, read: timeColumn },
  end_time: { from: ({ event }) => event.endTime, read: timeOrNullColumn },
  last_inside: { from: ({ event }) => event.lastInside, read: timeColumn },
  cause_partition: { from: ({ event }) => event.cause.partition },
  cause_offset: { from: ({ event }) => event.cause.offset },
  cause_item: { from: ({ event }) => event.cause.index },
  recorded_at: { from: ({ recordedAt }) => recordedAt },
});

/** A row of the answer. */
interface StayRow {
  readonly intersection_id: string;
  readonly track_id: string;
  readonly data_source_id: string;
  readonly tag: string;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly last_inside: number;
}

/** The record without its area. */
export const stayRecord = (row: StayRow) => ({
  intersectionId: row.intersection_id,
  trackId: row.track_id,
  dataSourceId: row.data_source_id,
  tag: row.tag,
  startTime: row.start_time,
  endTime: row.end_time,
  lastInside: row.last_inside,
});

/**
 * Adds the rank base to the offset by which an intersection is ranked, so that those of a log that replaced another
 * outrank those of the log before.
 */
export const rebasedStay = <Event extends StayChanged>(
  event: Event,
  rankBase: (partition: number) => number,
): Event => ({
  ...event,
  cause: { ...event.cause, offset: rankBase(event.cause.partition) + event.cause.offset },
});
