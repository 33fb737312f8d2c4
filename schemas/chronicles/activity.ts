// An activity: something that lasted for a while, or still does.
import { array, boolean, long, record, string, time } from "../avro.ts";
import { changedRecord } from "../catalog/changed.ts";
import { type GeoPosition, positionRecord } from "../log/detections.ts";
import { type AnyChronicleFields, commonChronicleFields } from "./fields.ts";

/** A part of a data source's recording. */
export interface Clip {
  readonly dataSourceId: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
}

const clip = () => record<Clip>("Clip", { dataSourceId: string, startTime: long, endTime: long });

export interface ActivityChronicleFields extends AnyChronicleFields {
  readonly startTime: number;
  /** Null while the activity has not ended. */
  readonly endTime: number | null;
  readonly position: GeoPosition | null;
  readonly imageIds: readonly string[] | null;
  readonly clips: readonly Clip[] | null;
  readonly trackIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  readonly dataSourceIds: readonly string[] | null;
  readonly tagIds: readonly string[] | null;
  readonly pointOfInterestIds: readonly string[] | null;
  /** Only the deprecated `events` queries show it. */
  readonly draft: boolean | null;
}

export const activityChronicleChanged = changedRecord<ActivityChronicleFields>("ActivityChronicle", {
  ...commonChronicleFields,
  startTime: time,
  endTime: time,
  position: positionRecord,
  imageIds: array(string),
  clips: array(clip()),
  trackIds: array(string),
  siteIds: array(string),
  dataSourceIds: array(string),
  tagIds: array(string),
  pointOfInterestIds: array(string),
  draft: boolean,
});

/** Adds images and clips to those that the activity has, so that two writers at the same time lose nothing. */
export interface ActivityMediaAdded {
  readonly id: string;
  readonly at: number;
  readonly imageIds: readonly string[];
  readonly clips: readonly Clip[];
}

export const activityMediaAdded = record<ActivityMediaAdded>("ActivityMediaAdded", {
  id: string,
  at: time,
  imageIds: array(string),
  clips: array(clip()),
});
