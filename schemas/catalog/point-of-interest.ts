import { string } from "../avro.ts";
import { type GeoPosition, position } from "../log/detections.ts";
import { changed } from "./changed.ts";

export interface PointOfInterestFields {
  readonly siteId: string;
  readonly name: string;
  readonly position: GeoPosition;
  /** JSON text. */
  readonly metadata: string | null;
}

export const pointOfInterestChanged = changed<PointOfInterestFields>("PointOfInterest", {
  siteId: string,
  name: string,
  position,
  metadata: string,
});
