import { record, string } from "../avro.ts";
import { type IntersectionChanged, intersectionRecordFields } from "./intersection.ts";

export interface ZoneIntersectionChanged extends IntersectionChanged {
  /** UUIDv5(trackId, zoneId, startTime). */
  readonly intersectionId: string;
  readonly zoneId: string;
}

export const zoneIntersectionChanged = record<ZoneIntersectionChanged>("ZoneIntersectionChanged", {
  intersectionId: string,
  zoneId: string,
  ...intersectionRecordFields,
});
