import { enumeration, int, long, optional, record, string, time } from "../avro.ts";
import type { Cause, IntersectionMessageState } from "./zone-intersection-changed.ts";

export interface GeofenceIntersectionChanged {
  /** UUIDv5(dataSourceId, trackId, geofenceId, startTime). */
  readonly intersectionId: string;
  readonly geofenceId: string;
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly state: IntersectionMessageState;
  readonly startTime: number;
  /**
   * Null unless the message is an END: time of the first detection outside, of the track's end, or of the last
   * detection.
   */
  readonly endTime: number | null;
  /** Timestamp of the newest detection inside. */
  readonly lastInside: number;
  readonly cause: Cause;
}

export const geofenceIntersectionChanged = record<GeofenceIntersectionChanged>("GeofenceIntersectionChanged", {
  intersectionId: string,
  geofenceId: string,
  trackId: string,
  dataSourceId: string,
  tag: string,
  state: enumeration("MessageState", ["START", "UPDATE", "END"], "UPDATE"),
  startTime: time,
  endTime: optional(time),
  lastInside: time,
  cause: record<Cause>("Cause", { partition: int, offset: long, index: int }),
});
