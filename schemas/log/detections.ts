import { array, double, optional, record, string, time } from "../avro.ts";
import { type Polygon, polygon } from "./polygon.ts";

export interface GeoPosition {
  readonly longitude: number;
  readonly latitude: number;
  /** Metres. */
  readonly altitude: number | null;
  readonly crs: string | null;
}

export const positionRecord = record<GeoPosition>("Position", {
  longitude: double,
  latitude: double,
  altitude: optional(double),
  crs: optional(string),
});

export interface Detection {
  readonly trackId: string;
  readonly timestamp: number;
  readonly polygon: Polygon | null;
  readonly position: GeoPosition | null;
  /** Degrees clockwise from north, in [0, 360). */
  readonly direction: number | null;
  /** JSON text. */
  readonly metadata: string | null;
}

export const detection = record<Detection>("Detection", {
  trackId: string,
  timestamp: time,
  polygon: optional(polygon),
  position: optional(positionRecord),
  direction: optional(double),
  metadata: optional(string),
});

export interface DetectionsRecorded {
  readonly dataSourceId: string;
  readonly detections: readonly Detection[];
}

export const detectionsRecorded = record<DetectionsRecorded>("DetectionsRecorded", {
  dataSourceId: string,
  detections: array(detection),
});
