import type { IntersectionMessageState } from "../../schemas/events.ts";
import type {
  FilterGeofenceIntersectionMessageInput,
  FilterZoneIntersectionMessageInput,
  GeofenceIntersectionFilter,
  ZoneIntersectionFilter,
} from "../../schemas/filters.ts";
import type { GeofenceIntersectionRecord, IntersectionRecord } from "../history/queries/records.ts";
import type { Fields, MemoryFields } from "./fields.ts";
import { timeField } from "./kinds/number.ts";
import { equalTo, idField, stringField } from "./kinds/string.ts";
import { timeRange } from "./kinds/time-range.ts";
import { CURRENT_TAG } from "./sql/current-tag.ts";

const period = timeRange({
  value: ({ startTime, endTime }: Pick<IntersectionRecord, "startTime" | "endTime">) => ({
    start: startTime,
    end: endTime,
  }),
  start: "start_time",
  end: "end_time",
});

/** The SQL refers to the columns of zone_intersections_v1, and to the present tag of the track (sql/current-tag.ts). */
export const intersectionFields: Fields<ZoneIntersectionFilter, IntersectionRecord> = {
  zoneId: idField({ value: (intersection) => intersection.zoneId, sql: "zone_id" }),
  time: timeField({ value: (intersection) => intersection.startTime, sql: "start_time" }),
  timeRange: period,
  tag: stringField({ value: (intersection) => intersection.tag, sql: CURRENT_TAG, anyCase: true }),
  dataSourceId: idField({ value: (intersection) => intersection.dataSourceId, sql: "data_source_id" }),
};

export interface IntersectionMessageSubject {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly state: IntersectionMessageState;
}

export const intersectionMessageFields: MemoryFields<FilterZoneIntersectionMessageInput, IntersectionMessageSubject> = {
  zoneId: idField({ value: (message) => message.zoneId }),
  dataSourceId: idField({ value: (message) => message.dataSourceId }),
  state: equalTo((message) => message.state),
};

/** The SQL refers to the columns of geofence_intersections_v1. */
export const geofenceIntersectionFields: Fields<GeofenceIntersectionFilter, GeofenceIntersectionRecord> = {
  geofenceId: idField({ value: (intersection) => intersection.geofenceId, sql: "geofence_id" }),
  time: timeField({ value: (intersection) => intersection.startTime, sql: "start_time" }),
  timeRange: period,
};

export interface GeofenceIntersectionMessageSubject {
  readonly geofenceId: string;
  readonly tag: string;
  readonly dataSourceId: string;
  readonly state: IntersectionMessageState;
}

export const geofenceIntersectionMessageFields: MemoryFields<
  FilterGeofenceIntersectionMessageInput,
  GeofenceIntersectionMessageSubject
> = {
  geofenceId: idField({ value: (message) => message.geofenceId }),
  tag: stringField({ value: (message) => message.tag, anyCase: true }),
  dataSourceId: idField({ value: (message) => message.dataSourceId }),
  state: equalTo((message) => message.state),
};
