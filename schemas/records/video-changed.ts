import { array, double, enumeration, record, string, time, word } from "../avro.ts";
import { type Changed, type Clearable, said } from "../catalog/changed.ts";

export interface VideoFields {
  readonly startTime: number;
  /** null = the video is ongoing. */
  readonly endTime: number | null;
  /** Where it is in the media store. */
  readonly path: string;
  readonly thumbnailPath: string | null;
  readonly displayName: string | null;
  readonly frameRate: number | null;
  readonly resolutionHeight: string | null;
  readonly resolutionWidth: string | null;
}

/** A video never changes its data source. */
export interface VideoChanged extends Omit<Changed<VideoFields>, "change"> {
  readonly dataSourceId: string;
  readonly change: "created" | "updated";
}

export const videoChanged = record<VideoChanged>("VideoChanged", {
  id: string,
  dataSourceId: string,
  change: enumeration("VideoChange", ["created", "updated"], "updated"),
  at: time,
  set: said<VideoFields>("VideoFields", {
    startTime: time,
    endTime: time,
    path: string,
    thumbnailPath: string,
    displayName: string,
    frameRate: double,
    resolutionHeight: string,
    resolutionWidth: string,
  }),
  cleared: array(word<Clearable<VideoFields>>()),
});
