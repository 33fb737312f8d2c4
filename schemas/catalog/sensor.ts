import { enumeration, string } from "../avro.ts";
import type { SensorType } from "../graphql/inputs.ts";
import { type GeoPosition, positionRecord } from "../log/detections.ts";
import { changedRecord } from "./changed.ts";

export interface SensorFields {
  readonly name: string;
  readonly description: string | null;
  readonly type: SensorType;
  readonly position: GeoPosition | null;
  readonly address: string | null;
  /** JSON text. */
  readonly metadata: string | null;
}

export const sensorChanged = changedRecord<SensorFields>("Sensor", {
  name: string,
  description: string,
  type: enumeration("SensorType", ["NUMBER", "BOOLEAN", "TEXT"], "TEXT"),
  position: positionRecord,
  address: string,
  metadata: string,
});
