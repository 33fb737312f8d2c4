// Checks a client's regions of the Earth: GeoJSON polygons in degrees.

import { enclosesNothing } from "../../../projections/geometry/rings.ts";
import type { Regions } from "../../../schemas/catalog/regions.ts";
import { badInput, type InputPath } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type {
  GeofenceBoundsInput,
  GeoJsonMultiPolygonInput,
  GeoJsonPolygonInput,
} from "../../../schemas/graphql/inputs.ts";
import { crsOf } from "./json.ts";
import { flatRings, refuseCrossings } from "./polygon.ts";

type Coordinates = GeoJsonPolygonInput["coordinates"];

interface Bounds {
  readonly maxZoneVertices: number;
}

/** A region may have as many vertices as a zone. */
export function parseRegion(input: GeoJsonPolygonInput, path: InputPath, bounds: Bounds): Polygon {
  const { type, coordinates } = input;
  if (type !== "Polygon") throw badInput("type must be 'Polygon'", [...path, "type"]);
  const at = [...path, "coordinates"];
  checkVertices([coordinates], bounds, at);
  return { rings: parsePolygon(coordinates, at), crs: crsOf(input, path) };
}

/**
 * Parses a region that encloses an area and does not span the antimeridian, because containment is tested on a plane of
 * degrees.
 */
export function parseGeofenceBounds({ polygon }: GeofenceBoundsInput, path: InputPath, bounds: Bounds): Polygon {
  const region = parseRegion(polygon, [...path, "polygon"], bounds);
  for (const [i, ring] of region.rings.entries()) {
    const at = [...path, "polygon", "coordinates", i];
    if (spansAntimeridian(ring)) throw badInput("it crosses the antimeridian, or spans half of the Earth", at);
    if (enclosesNothing(ring)) throw badInput("the ring encloses no area", at);
  }
  return region;
}

/** All polygons together may have as many vertices as one zone. */
export function parseRegions(input: GeoJsonMultiPolygonInput, path: InputPath, bounds: Bounds): Regions {
  const { type, coordinates } = input;
  if (type !== "MultiPolygon") throw badInput("type must be 'MultiPolygon'", [...path, "type"]);
  const at = [...path, "coordinates"];
  if (coordinates.length === 0) throw badInput("there is no polygon", at);
  checkVertices(coordinates, bounds, at);
  const polygons = coordinates.map((polygon, i) => parsePolygon(polygon, [...at, i]));
  return { polygons, crs: crsOf(input, path) };
}

function checkVertices(polygons: readonly Coordinates[], { maxZoneVertices }: Bounds, path: InputPath): void {
  let vertices = 0;
  for (const polygon of polygons) for (const ring of polygon) vertices += ring.length;
  if (vertices <= maxZoneVertices) return;
  const what = polygons.length === 1 ? "the polygon has" : "the polygons have";
  throw badInput(`${what} ${vertices} vertices, the limit is ${maxZoneVertices} (MAX_ZONE_VERTICES)`, path);
}

function parsePolygon(coordinates: Coordinates, path: InputPath): Polygon["rings"] {
  const rings = flatRings(coordinates, path);
  for (const [i, ring] of rings.entries())
    if (!isOnEarth(ring)) throw badInput("outside the degrees of the Earth", [...path, i]);
  refuseCrossings(rings, path);
  return rings;
}

/**
 * @returns true when two successive points are more than 180 degrees of longitude apart: the shorter way between them
 * then crosses the antimeridian.
 */
const spansAntimeridian = (ring: readonly number[]): boolean =>
  ring.some((longitude, i) => i % 2 === 0 && Math.abs(longitude - (ring[i + 2] ?? longitude)) > 180);

const isOnEarth = (ring: readonly number[]): boolean =>
  ring.every((value, i) => Math.abs(value) <= (i % 2 === 0 ? 180 : 90));
