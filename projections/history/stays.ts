// What the tables of zone intersections and of geofence intersections have in common.
import type { GeofenceIntersectionChanged, ZoneIntersectionChanged } from "../../schemas/events.ts";
import { columnsFrom, text, time, timeOrNull } from "./table.ts";

type StayChanged = ZoneIntersectionChanged | GeofenceIntersectionChanged;

export interface Recorded<Event extends StayChanged> {
  readonly event: Event;
  /** Broker time, ms. */
  readonly recordedAt: number;
}

/** The first column; that of the area follows it. */
export const stayId = columnsFrom<Recorded<StayChanged>>()({
  intersection_id: { from: ({ event }) => event.intersectionId, read: text },
});

/** The columns after that of the area. */
export const stayColumns = columnsFrom<Recorded<StayChanged>>()({
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

/** The row as a query gives it. */
interface StayRow {
  readonly intersection_id: string;
  readonly track_id: string;
  readonly data_source_id: string;
  readonly tag: string;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly last_inside: number;
}

/** All of the record but its area. */
export const stayRecord = (row: StayRow) => ({
  intersectionId: row.intersection_id,
  trackId: row.track_id,
  dataSourceId: row.data_source_id,
  tag: row.tag,
  startTime: row.start_time,
  endTime: row.end_time,
  lastInside: row.last_inside,
});

/** An intersection derives from the camera-log: a log that begins anew ranks it behind the log before. */
export const rebasedStay = <Event extends StayChanged>(
  event: Event,
  rankBase: (partition: number) => number,
): Event => ({
  ...event,
  cause: { ...event.cause, offset: rankBase(event.cause.partition) + event.cause.offset },
});
