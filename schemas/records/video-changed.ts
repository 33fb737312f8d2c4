import { array, double, enumeration, record, string, time, word } from "../avro.ts";
import { type Changed, type Clearable, setFieldsRecord } from "../catalog/changed.ts";
import { checkId, checkTextLength } from "../check-texts.ts";
import { checkRecordTime } from "../check-times.ts";
import { type Flaw, flaw, orNone, under } from "../flaw.ts";
import { checkMediaPath } from "../media-path.ts";
import { CAMERA_PARTITIONS } from "../topic-spec.ts";
import { defineRecord } from "./define-record.ts";

export interface VideoFields {
  readonly startTime: number;
  /** Null while the video is ongoing. */
  readonly endTime: number | null;
  /** Path in the media store. */
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

/** The topic has every change of each video, and keeps it for ever: a video is folded from all its changes. */
export const videoChanged = defineRecord({
  type: "VideoChanged",
  event: record<VideoChanged>("VideoChanged", {
    id: string,
    dataSourceId: string,
    change: enumeration("VideoChange", ["created", "updated"], "updated"),
    at: time,
    set: setFieldsRecord<VideoFields>("VideoFields", {
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
  }),
  check: checkVideo,
  key: "dataSourceId",
  writers: ["api", "producers", "dead-letters"],
  readers: ["projector", "api"],
  partitions: CAMERA_PARTITIONS,
  cleanup: "delete",
  retentionMs: -1,
});

export const checkFrameRate = (frameRate: number): Flaw | undefined =>
  frameRate > 0 && frameRate <= MAX_FRAME_RATE
    ? undefined
    : flaw(`a frame rate is above 0 and at most ${MAX_FRAME_RATE}`);

/** No camera has a higher frame rate. */
const MAX_FRAME_RATE = 100_000;

function checkVideo({ id, dataSourceId, change, set, cleared }: VideoChanged, latest: number): Flaw | undefined {
  const missing = change === "created" ? required.find((field) => set[field] === null) : undefined;
  const gone = required.find((field) => cleared.some((each: string) => each === field));
  return (
    under("id", checkId(id)) ??
    under("dataSourceId", checkId(dataSourceId)) ??
    (missing === undefined ? undefined : under("set", flaw("missing", missing))) ??
    (gone === undefined ? undefined : flaw(`${gone} may not be missing`, "cleared")) ??
    under("set", checkVideoFields(set, latest))
  );
}

function checkVideoFields(set: VideoChanged["set"], latest: number): Flaw | undefined {
  const { startTime, endTime } = set;
  const time = (ms: number) => checkRecordTime(ms, latest);
  const isReversed = startTime !== null && endTime !== null && endTime < startTime;
  return (
    under("startTime", orNone(startTime, time)) ??
    under("endTime", orNone(endTime, time)) ??
    (isReversed ? flaw("before the start", "endTime") : undefined) ??
    under("path", orNone(set.path, checkMediaPath)) ??
    under("thumbnailPath", orNone(set.thumbnailPath, checkMediaPath)) ??
    under("frameRate", orNone(set.frameRate, checkFrameRate)) ??
    under("displayName", orNone(set.displayName, checkTextLength)) ??
    under("resolutionHeight", orNone(set.resolutionHeight, checkTextLength)) ??
    under("resolutionWidth", orNone(set.resolutionWidth, checkTextLength))
  );
}

const required = ["startTime", "path"] as const;
