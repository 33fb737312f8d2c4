import { array, boolean, string } from "../avro.ts";
import { type Polygon, polygon } from "../log/polygon.ts";
import { changedRecord } from "./changed.ts";

export interface GeofenceFields {
  readonly name: string;
  readonly labels: readonly string[];
  readonly siteId: string;
  readonly pointOfInterestId: string | null;
  /** Polygon in degrees; each point is longitude, latitude. */
  readonly bounds: Polygon;
  readonly active: boolean;
}

export const geofenceChanged = changedRecord<GeofenceFields>("Geofence", {
  name: string,
  labels: array(string),
  siteId: string,
  pointOfInterestId: string,
  bounds: polygon,
  active: boolean,
});
