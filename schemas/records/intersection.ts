// The fields that intersections with zones and with geofences have in common.
import { enumeration, int, long, optional, record, string, time } from "../avro.ts";

export type IntersectionMessageState = "START" | "UPDATE" | "END";

/** The camera-log message that caused an output, and the output's number among those of that message. */
export interface Cause {
  readonly partition: number;
  readonly offset: number;
  readonly index: number;
}

export interface IntersectionChanged {
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

/** The fields after the ids of the intersection and of the area. */
export const intersectionRecordFields = {
  trackId: string,
  dataSourceId: string,
  tag: string,
  state: enumeration<IntersectionMessageState>("MessageState", ["START", "UPDATE", "END"], "UPDATE"),
  startTime: time,
  endTime: optional(time),
  lastInside: time,
  cause: record<Cause>("Cause", { partition: int, offset: long, index: int }),
};
