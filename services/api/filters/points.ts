// FilterPointInput over positions in degrees: any of the positions may match.
import type { Position } from "../../../schemas/events.ts";
import type { FilterPointInput, FilterPointNearInput, GeoJSONPolygonInput } from "../../../schemas/filters.ts";

/** Mean radius of the Earth in metres (IUGG). */
const EARTH_RADIUS_M = 6_371_008.8;

export function matchesPoints(filter: FilterPointInput, positions: readonly Position[]): boolean {
  const { in: polygon, near, attributeExists } = filter;
  if (attributeExists != null && attributeExists !== positions.length > 0) return false;
  if (polygon == null && near == null) return true;
  return positions.some(
    (position) => (polygon == null || isInside(polygon, position)) && (near == null || isNear(near, position)),
  );
}

/** Even-odd rule over all rings, so that holes are outside. */
function isInside({ coordinates }: GeoJSONPolygonInput, { longitude, latitude }: Position): boolean {
  let inside = false;
  for (const ring of coordinates) {
    for (let i = 1; i < ring.length; i++) {
      const [x1 = Number.NaN, y1 = Number.NaN] = ring[i - 1] ?? [];
      const [x2 = Number.NaN, y2 = Number.NaN] = ring[i] ?? [];
      if (y1 > latitude === y2 > latitude) continue;
      if (longitude < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1) inside = !inside;
    }
  }
  return inside;
}

/** Great-circle distance by the haversine formula. */
function isNear({ point, radius }: FilterPointNearInput, { longitude, latitude }: Position): boolean {
  const [lon = Number.NaN, lat = Number.NaN] = point.coordinates;
  const halfLat = radians(latitude - lat) / 2;
  const halfLon = radians(longitude - lon) / 2;
  const h = Math.sin(halfLat) ** 2 + Math.cos(radians(lat)) * Math.cos(radians(latitude)) * Math.sin(halfLon) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h))) <= radius;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
