import { array, double, record, string, time } from "../avro.ts";
import { type GeoPosition, position } from "../log/detections.ts";
import { changed } from "./changed.ts";

/** The same point on the Earth and in the image. */
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
  /** It counts for detections from then on. */
  readonly timestamp: number;
  readonly markers: readonly CalibrationMarker[];
}

const pixel = record<Pixel>("Pixel", { x: double, y: double });

export const deviceCalibrationChanged = changed<DeviceCalibrationFields>("DeviceCalibration", {
  deviceId: string,
  timestamp: time,
  markers: array(record<CalibrationMarker>("CalibrationMarker", { name: string, position, pixel })),
});
