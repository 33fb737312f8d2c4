import { enumeration, string } from "../avro.ts";
import { type GeoPosition, position } from "../log/detections.ts";
import { changed } from "./changed.ts";

/** What its measurements are; all of them are kept as text. */
export type SensorType = "NUMBER" | "BOOLEAN" | "TEXT";

export interface SensorFields {
  readonly name: string;
  readonly description: string | null;
  readonly type: SensorType;
  readonly position: GeoPosition | null;
  readonly address: string | null;
  /** JSON text. */
  readonly metadata: string | null;
}

export const sensorChanged = changed<SensorFields>("Sensor", {
  name: string,
  description: string,
  type: enumeration("SensorType", ["NUMBER", "BOOLEAN", "TEXT"], "TEXT"),
  position,
  address: string,
  metadata: string,
});
