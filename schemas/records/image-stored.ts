import { int, optional, record, string, time } from "../avro.ts";
import { checkId } from "../check-texts.ts";
import { checkRecordTime } from "../check-times.ts";
import { orNone, under } from "../flaw.ts";
import { checkMediaPath } from "../media-path.ts";
import { defineRecord } from "./define-record.ts";

/**
 * An image, whose bytes are in the media store before this record is in the log. Its identity is its id, which derives
 * from the other fields.
 */
export interface ImageStored {
  readonly imageId: string;
  readonly dataSourceId: string | null;
  /** Time at which the image was taken. */
  readonly timestamp: number | null;
  /** The name that the sender gave the file. */
  readonly fileName: string | null;
  /** Path in the media store: schemas/media-path.ts. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Images are few beside detections and independent of one another, so one partition is enough. */
export const imageStored = defineRecord({
  type: "ImageStored",
  event: record<ImageStored>("ImageStored", {
    imageId: string,
    dataSourceId: optional(string),
    timestamp: optional(time),
    fileName: optional(string),
    path: string,
    width: int,
    height: int,
  }),
  check: ({ imageId, dataSourceId, timestamp, path }, latest) =>
    under("imageId", checkId(imageId)) ??
    under("dataSourceId", orNone(dataSourceId, checkId)) ??
    under(
      "timestamp",
      orNone(timestamp, (ms) => checkRecordTime(ms, latest)),
    ) ??
    under("path", checkMediaPath(path)),
  key: "imageId",
  writers: ["api", "dead-letters"],
  readers: ["projector"],
  partitions: 1,
  cleanup: "delete",
  retentionMs: -1,
});
