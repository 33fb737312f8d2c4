import { enumeration, int, long, optional, record, string, time } from "../avro.ts";

export type IntersectionMessageState = "START" | "UPDATE" | "END";

/** The camera-log message that caused an output, and the output's number among those of that message. */
export interface Cause {
  readonly partition: number;
  readonly offset: number;
  readonly index: number;
}

export interface ZoneIntersectionChanged {
  /** UUIDv5(trackId, zoneId, startTime). */
  readonly intersectionId: string;
  readonly zoneId: string;
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly state: IntersectionMessageState;
  readonly startTime: number;
  /**
   * Null unless the message is an END: time of the first detection outside, of the track's end, or of the last
   * detection inside.
   */
  readonly endTime: number | null;
  /** Timestamp of the newest detection inside. */
  readonly lastInside: number;
  readonly cause: Cause;
}

export const zoneIntersectionChanged = record<ZoneIntersectionChanged>("ZoneIntersectionChanged", {
  intersectionId: string,
  zoneId: string,
  trackId: string,
  dataSourceId: string,
  tag: string,
  state: enumeration("MessageState", ["START", "UPDATE", "END"], "UPDATE"),
  startTime: time,
  endTime: optional(time),
  lastInside: time,
  cause: record<Cause>("Cause", { partition: int, offset: long, index: int }),
});
