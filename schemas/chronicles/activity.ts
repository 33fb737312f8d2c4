// An activity: something that went on for a while, or still goes on.
import { array, boolean, long, record, string, time } from "../avro.ts";
import { changed } from "../catalog/changed.ts";
import { type GeoPosition, position } from "../log/detections.ts";
import { type AnyChronicleFields, anyChronicle } from "./fields.ts";

/** A stretch of what a data source recorded. */
export interface Clip {
  readonly dataSourceId: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
}

const clip = () => record<Clip>("Clip", { dataSourceId: string, startTime: long, endTime: long });

export interface ActivityChronicleFields extends AnyChronicleFields {
  readonly startTime: number;
  /** null = it still goes on. */
  readonly endTime: number | null;
  readonly position: GeoPosition | null;
  readonly imageIds: readonly string[] | null;
  readonly clips: readonly Clip[] | null;
  readonly trackIds: readonly string[] | null;
  readonly siteIds: readonly string[] | null;
  readonly dataSourceIds: readonly string[] | null;
  readonly tagIds: readonly string[] | null;
  readonly pointOfInterestIds: readonly string[] | null;
  /** Only the deprecated events show it. */
  readonly draft: boolean | null;
}

export const activityChronicleChanged = changed<ActivityChronicleFields>("ActivityChronicle", {
  ...anyChronicle,
  startTime: time,
  endTime: time,
  position,
  imageIds: array(string),
  clips: array(clip()),
  trackIds: array(string),
  siteIds: array(string),
  dataSourceIds: array(string),
  tagIds: array(string),
  pointOfInterestIds: array(string),
  draft: boolean,
});

/** Adds images and clips to those that the activity has: two writers at the same time lose nothing. */
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
