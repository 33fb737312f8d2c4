// Converts the flat shapes of the events to GeoJSON.
import type { Regions } from "../../../../schemas/catalog/regions.ts";
import type { GeoPosition, Polygon } from "../../../../schemas/events.ts";

export function toPolygon({ rings, crs }: Polygon) {
  return { type: "Polygon", coordinates: rings.map(toPoints), crs: parseNullableJson(crs) };
}

export function toMultiPolygon({ polygons, crs }: Regions) {
  return {
    type: "MultiPolygon",
    coordinates: polygons.map((rings) => rings.map(toPoints)),
    crs: parseNullableJson(crs),
  };
}

export function toPoint({ longitude, latitude, altitude, crs }: GeoPosition) {
  const coordinates = altitude === null ? [longitude, latitude] : [longitude, latitude, altitude];
  return { type: "Point", coordinates, crs: parseNullableJson(crs) };
}

function toPoints(ring: readonly number[]): number[][] {
  const points: number[][] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push([ring[i] ?? Number.NaN, ring[i + 1] ?? Number.NaN]);
  return points;
}

export const parseNullableJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
