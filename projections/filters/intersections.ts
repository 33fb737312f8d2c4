import type { MessageState } from "../../schemas/events.ts";
import type {
  FilterGeofenceIntersectionInput,
  FilterGeofenceIntersectionMessageInput,
  FilterZoneIntersectionInput,
  FilterZoneIntersectionMessageInput,
} from "../../schemas/filters.ts";
import type { GeofenceIntersectionRecord, IntersectionRecord } from "../history/queries/records.ts";
import type { Fields, MemoryFields } from "./fields.ts";
import { time } from "./kinds/number.ts";
import { equalTo, id, string } from "./kinds/string.ts";
import { CURRENT_TAG } from "./sql/current-tag.ts";

/** The SQL is over the columns of zone_intersections_v1, and the tag that the track has now (sql/current-tag.ts). */
export const intersectionFields: Fields<FilterZoneIntersectionInput, IntersectionRecord> = {
  zoneId: id({ value: (intersection) => intersection.zoneId, sql: "zone_id" }),
  time: time({ value: (intersection) => intersection.startTime, sql: "start_time" }),
  tag: string({ value: (intersection) => intersection.tag, sql: CURRENT_TAG, anyCase: true }),
  dataSourceId: id({ value: (intersection) => intersection.dataSourceId, sql: "data_source_id" }),
};

export interface IntersectionMessageSubject {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly state: MessageState;
}

export const intersectionMessageFields: MemoryFields<FilterZoneIntersectionMessageInput, IntersectionMessageSubject> = {
  zoneId: id({ value: (message) => message.zoneId }),
  dataSourceId: id({ value: (message) => message.dataSourceId }),
  state: equalTo((message) => message.state),
};

/** The SQL is over the columns of geofence_intersections_v1. */
export const geofenceIntersectionFields: Fields<FilterGeofenceIntersectionInput, GeofenceIntersectionRecord> = {
  geofenceId: id({ value: (intersection) => intersection.geofenceId, sql: "geofence_id" }),
  time: time({ value: (intersection) => intersection.startTime, sql: "start_time" }),
};

export interface GeofenceIntersectionMessageSubject {
  readonly geofenceId: string;
  readonly tag: string;
  readonly dataSourceId: string;
  readonly state: MessageState;
}

export const geofenceIntersectionMessageFields: MemoryFields<
  FilterGeofenceIntersectionMessageInput,
  GeofenceIntersectionMessageSubject
> = {
  geofenceId: id({ value: (message) => message.geofenceId }),
  tag: string({ value: (message) => message.tag, anyCase: true }),
  dataSourceId: id({ value: (message) => message.dataSourceId }),
  state: equalTo((message) => message.state),
};
