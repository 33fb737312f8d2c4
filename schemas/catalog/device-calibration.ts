import { array, double, record, string, time } from "../avro.ts";
import { type GeoPosition, positionRecord } from "../log/detections.ts";
import { changedRecord } from "./changed.ts";

/** One point, given both on the Earth and in the image. */
export interface CalibrationMarker {
  readonly name: string;
  readonly position: GeoPosition;
  readonly pixel: Pixel;
}

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export interface DeviceCalibrationFields {
  readonly deviceId: string;
  /** The calibration applies to detections from this time on. */
  readonly timestamp: number;
  readonly markers: readonly CalibrationMarker[];
}

const pixel = record<Pixel>("Pixel", { x: double, y: double });

export const deviceCalibrationChanged = changedRecord<DeviceCalibrationFields>("DeviceCalibration", {
  deviceId: string,
  timestamp: time,
  markers: array(record<CalibrationMarker>("CalibrationMarker", { name: string, position: positionRecord, pixel })),
});
