import { array, double, optional, record, string } from "../avro.ts";
import type { Polygon } from "../log/polygon.ts";

/** Several polygons in degrees. */
export interface Regions {
  /** The rings of each polygon, as in Polygon: the exterior first, then the holes. */
  readonly polygons: readonly Polygon["rings"][];
  /** GeoJSON crs object as JSON text. */
  readonly crs: string | null;
}

export const regions = record<Regions>("Regions", {
  polygons: array(array(array(double))),
  crs: optional(string),
});
