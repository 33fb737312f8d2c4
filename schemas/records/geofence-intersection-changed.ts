import { record, string } from "../avro.ts";
import { type IntersectionChanged, intersectionRecordFields } from "./intersection.ts";

export interface GeofenceIntersectionChanged extends IntersectionChanged {
  /** UUIDv5(dataSourceId, trackId, geofenceId, startTime). */
  readonly intersectionId: string;
  readonly geofenceId: string;
}

export const geofenceIntersectionChanged = record<GeofenceIntersectionChanged>("GeofenceIntersectionChanged", {
  intersectionId: string,
  geofenceId: string,
  ...intersectionRecordFields,
});
