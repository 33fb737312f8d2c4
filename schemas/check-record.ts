// The checks of records outside the camera-log. A type that is not listed has nothing to check.

import { checkId, checkStoredTime, checkTime, type Flaw, flaw, limits, under } from "./checks.ts";
import { checkChronicle } from "./chronicles/check.ts";
import type { ImageStored, MeasurementRecorded, Typed } from "./events.ts";
import { checkMediaPath } from "./media-path.ts";

/** `latest`: as for checkTime. */
export function checkRecord(message: Typed, latest: number): Flaw | undefined {
  switch (message.type) {
    case "MeasurementRecorded":
      return checkMeasurement(message.event, latest);
    case "ImageStored":
      return checkImage(message.event, latest);
    case "ActivityChronicleChanged":
    case "EventChronicleChanged":
    case "SummaryChronicleChanged":
    case "ActivityMediaAdded":
      return checkChronicle(message);
    default:
      return undefined;
  }
}

export const checkValueLength = (value: string): Flaw | undefined =>
  value.length <= limits.maxTextLength ? undefined : flaw(`a value has at most ${limits.maxTextLength} characters`);

function checkMeasurement({ sensorId, timestamp, value }: MeasurementRecorded, latest: number): Flaw | undefined {
  return (
    under("sensorId", checkId(sensorId)) ??
    under("timestamp", checkStoredTime(timestamp) ?? checkTime(timestamp, latest)) ??
    under("value", checkValueLength(value))
  );
}

function checkImage({ imageId, dataSourceId, timestamp, path }: ImageStored, latest: number): Flaw | undefined {
  return (
    under("imageId", checkId(imageId)) ??
    (dataSourceId === null ? undefined : under("dataSourceId", checkId(dataSourceId))) ??
    (timestamp === null ? undefined : under("timestamp", checkStoredTime(timestamp) ?? checkTime(timestamp, latest))) ??
    under("path", checkMediaPath(path))
  );
}
