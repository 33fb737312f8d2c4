import { record, string, time } from "../avro.ts";
import { checkId, checkTextLength } from "../check-texts.ts";
import { checkRecordTime } from "../check-times.ts";
import { under } from "../flaw.ts";
import { CAMERA_PARTITIONS } from "../topic-spec.ts";
import { DAY_MS } from "../units.ts";
import { defineRecord } from "./define-record.ts";

/**
 * A measurement. All fields together are its identity: a sensor may report several values at one time, but the same
 * value only once.
 */
export interface MeasurementRecorded {
  readonly sensorId: string;
  readonly timestamp: number;
  /** The value as text, whatever the sensor's type. */
  readonly value: string;
}

export const measurementRecorded = defineRecord({
  type: "MeasurementRecorded",
  event: record<MeasurementRecorded>("MeasurementRecorded", { sensorId: string, timestamp: time, value: string }),
  check: ({ sensorId, timestamp, value }, latest) =>
    under("sensorId", checkId(sensorId)) ??
    under("timestamp", checkRecordTime(timestamp, latest)) ??
    under("value", checkTextLength(value)),
  key: "sensorId",
  writers: ["api", "producers", "dead-letters"],
  readers: ["projector", "api"],
  partitions: CAMERA_PARTITIONS,
  cleanup: "delete",
  retentionMs: 7 * DAY_MS,
  isKeptWithCameraLog: true,
});
