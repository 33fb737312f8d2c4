import { string } from "../avro.ts";
import { type GeoPosition, positionRecord } from "../log/detections.ts";
import { changedRecord } from "./changed.ts";

export interface PointOfInterestFields {
  readonly siteId: string;
  readonly name: string;
  readonly position: GeoPosition;
  /** JSON text. */
  readonly metadata: string | null;
}

export const pointOfInterestChanged = changedRecord<PointOfInterestFields>("PointOfInterest", {
  siteId: string,
  name: string,
  position: positionRecord,
  metadata: string,
});
