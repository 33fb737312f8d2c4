import { array, double, optional, record, string } from "../avro.ts";

export interface Polygon {
  /**
   * The first ring is the exterior, later rings are holes. Zones and detections are in image pixels. A ring is flat:
   * x0,y0,x1,y1,..., and its first point is repeated at the end.
   */
  readonly rings: readonly (readonly number[])[];
  /** GeoJSON crs object as JSON text. */
  readonly crs: string | null;
}

export const polygon = record<Polygon>("Polygon", { rings: array(array(double)), crs: optional(string) });
