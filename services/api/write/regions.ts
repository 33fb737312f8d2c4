// Checks a client's regions of the Earth: a GeoJSON multi-polygon in degrees.
import type { Regions } from "../../../schemas/catalog/regions.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { GeoJsonMultiPolygonInput } from "../../../schemas/graphql/inputs.ts";
import { crsOf } from "./json.ts";
import { flatRings, refuseCrossings } from "./polygon.ts";

type Path = readonly (string | number)[];

/** All polygons together may have as many vertices as one zone. */
export function parseRegions(
  input: GeoJsonMultiPolygonInput,
  path: Path,
  { maxZoneVertices }: { readonly maxZoneVertices: number },
): Regions {
  const { type, coordinates } = input;
  if (type !== "MultiPolygon") throw badInput("type must be 'MultiPolygon'", [...path, "type"]);
  const at = [...path, "coordinates"];
  if (coordinates.length === 0) throw badInput("there is no polygon", at);
  let vertices = 0;
  for (const polygon of coordinates) for (const ring of polygon) vertices += ring.length;
  if (vertices > maxZoneVertices) {
    throw badInput(`the polygons have ${vertices} vertices, the limit is ${maxZoneVertices} (MAX_ZONE_VERTICES)`, at);
  }
  const polygons = coordinates.map((polygon, i) => parsePolygon(polygon, [...at, i]));
  return { polygons, crs: crsOf(input, path) };
}

function parsePolygon(coordinates: GeoJsonMultiPolygonInput["coordinates"][number], path: Path): Polygon["rings"] {
  const rings = flatRings(coordinates, path);
  for (const [i, ring] of rings.entries())
    if (!isOnEarth(ring)) throw badInput("outside the degrees of the Earth", [...path, i]);
  refuseCrossings(rings, path);
  return rings;
}

const isOnEarth = (ring: readonly number[]): boolean =>
  ring.every((value, i) => Math.abs(value) <= (i % 2 === 0 ? 180 : 90));
