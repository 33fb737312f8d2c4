import { array, boolean, string } from "../avro.ts";
import { type Polygon, polygon } from "../log/polygon.ts";
import { changed } from "./changed.ts";

export interface GeofenceFields {
  readonly name: string;
  readonly labels: readonly string[];
  readonly siteId: string;
  readonly pointOfInterestId: string | null;
  /** In degrees: longitude, latitude. */
  readonly bounds: Polygon;
  readonly active: boolean;
}

export const geofenceChanged = changed<GeofenceFields>("Geofence", {
  name: string,
  labels: array(string),
  siteId: string,
  pointOfInterestId: string,
  bounds: polygon,
  active: boolean,
});
