// The checks of records outside the camera-log. A type that is not listed has nothing to check.

import { checkId, checkLength } from "./check-texts.ts";
import { checkStoredTime, checkTime } from "./checks.ts";
import { checkChronicle } from "./chronicles/check.ts";
import type { ImageStored, MeasurementRecorded, Typed, VideoChanged } from "./events.ts";
import { type Flaw, flaw, orNone, under } from "./flaw.ts";
import { checkMediaPath } from "./media-path.ts";

/** `latest`: as for checkTime. */
export function checkRecord(message: Typed, latest: number): Flaw | undefined {
  switch (message.type) {
    case "MeasurementRecorded":
      return checkMeasurement(message.event, latest);
    case "ImageStored":
      return checkImage(message.event, latest);
    case "VideoChanged":
      return checkVideo(message.event, latest);
    case "ActivityChronicleChanged":
    case "EventChronicleChanged":
    case "SummaryChronicleChanged":
    case "ActivityMediaAdded":
      return checkChronicle(message);
    default:
      return undefined;
  }
}

function checkMeasurement({ sensorId, timestamp, value }: MeasurementRecorded, latest: number): Flaw | undefined {
  return (
    under("sensorId", checkId(sensorId)) ??
    under("timestamp", checkRecordTime(timestamp, latest)) ??
    under("value", checkLength(value))
  );
}

function checkImage({ imageId, dataSourceId, timestamp, path }: ImageStored, latest: number): Flaw | undefined {
  return (
    under("imageId", checkId(imageId)) ??
    (dataSourceId === null ? undefined : under("dataSourceId", checkId(dataSourceId))) ??
    (timestamp === null ? undefined : under("timestamp", checkRecordTime(timestamp, latest))) ??
    under("path", checkMediaPath(path))
  );
}

export const checkFrameRate = (frameRate: number): Flaw | undefined =>
  frameRate > 0 && frameRate <= MAX_FRAME_RATE
    ? undefined
    : flaw(`a frame rate is above 0 and at most ${MAX_FRAME_RATE}`);

/** More than any camera has. */
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
    under("displayName", orNone(set.displayName, checkLength)) ??
    under("resolutionHeight", orNone(set.resolutionHeight, checkLength)) ??
    under("resolutionWidth", orNone(set.resolutionWidth, checkLength))
  );
}

const required = ["startTime", "path"] as const;

const checkRecordTime = (ms: number, latest: number): Flaw | undefined => checkStoredTime(ms) ?? checkTime(ms, latest);
