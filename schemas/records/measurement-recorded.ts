import { record, string, time } from "../avro.ts";

/** Identity: all of it. A sensor may say several things at one time, but not the same thing twice. */
export interface MeasurementRecorded {
  readonly sensorId: string;
  readonly timestamp: number;
  /** As text, whatever the sensor's type. */
  readonly value: string;
}

export const measurementRecorded = record<MeasurementRecorded>("MeasurementRecorded", {
  sensorId: string,
  timestamp: time,
  value: string,
});
