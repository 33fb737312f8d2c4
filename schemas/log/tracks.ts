import { again, array, enumeration, long, optional, record, string, time, withDefault, word } from "../avro.ts";
import { type Detection, detection } from "./detections.ts";

export interface TrackProperty {
  readonly type: string;
  readonly value: string;
}

const property = record<TrackProperty>("TrackProperty", { type: string, value: string });

export interface TrackProperties {
  readonly identifier: TrackProperty | null;
  readonly attributes: readonly TrackProperty[] | null;
}

const properties = record<TrackProperties>("TrackProperties", {
  identifier: optional(property),
  attributes: optional(array(again(property))),
});

export interface TrackCreated {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly modelId: string | null;
  readonly properties: TrackProperties | null;
  /** JSON text. */
  readonly metadata: string | null;
  readonly detections: readonly Detection[];
}

export const trackCreated = record<TrackCreated>("TrackCreated", {
  trackId: string,
  dataSourceId: string,
  tag: string,
  startTime: time,
  endTime: optional(time),
  modelId: optional(string),
  properties: optional(properties),
  metadata: optional(string),
  detections: array(detection),
});

export type ClearableTrackField = "endTime" | "properties" | "metadata";

export interface TrackUpdated {
  readonly trackId: string;
  readonly dataSourceId: string;
  /** Null in this field and those below means unchanged. `cleared` names the fields that the client has set to null. */
  readonly tag: string | null;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly properties: TrackProperties | null;
  readonly metadata: string | null;
  readonly cleared: readonly ClearableTrackField[];
  readonly detections: readonly Detection[];
}

export const trackUpdated = record<TrackUpdated>("TrackUpdated", {
  trackId: string,
  dataSourceId: string,
  tag: optional(string),
  startTime: optional(time),
  endTime: optional(time),
  properties: optional(properties),
  metadata: optional(string),
  cleared: withDefault(array(word<ClearableTrackField>()), []),
  detections: array(detection),
});

/**
 * The state machine writes this event when a track has timed out. endTime is the timestamp of the track's last
 * detection.
 */
export interface TrackExpired {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly endTime: number;
  readonly reason: "expired";
  /**
   * Camera-log offset up to which, exclusive, the state machine had read the log when it decided that the track is
   * over. It had not read the messages between that offset and this event, so detections among them outweigh the
   * expiry. Null in events written before this field existed.
   */
  readonly readUpTo: number | null;
}

export const trackExpired = record<TrackExpired>("TrackExpired", {
  trackId: string,
  dataSourceId: string,
  endTime: time,
  reason: enumeration("EndReason", ["expired"], "expired"),
  readUpTo: optional(long),
});
