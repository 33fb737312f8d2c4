// Checks clients' polygons: GeoJSON rings in, flat rings out, or a refusal that names the ring at fault and the reason.

import { enclosesNothing, flawOfRings } from "../../../projections/geometry/rings.ts";
import { countVertices } from "../../../schemas/bounds.ts";
import { checkRings } from "../../../schemas/checks.ts";
import { badInput, type InputPath, refuse } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { GeoJsonPolygonInput } from "../../../schemas/graphql/inputs.ts";
import { crsOf } from "./json.ts";

/** A polygon without a coordinate system whose points are in the form of events already: x, y, x, y. */
export class FlatPolygon implements GeoJsonPolygonInput {
  readonly type = "Polygon";
  readonly rings: number[][];

  constructor(rings: number[][]) {
    this.rings = rings;
  }

  get coordinates(): [number, number][][] {
    return this.rings.map((ring) =>
      Array.from({ length: ring.length / 2 }, (_, i) => [at(ring, i * 2), at(ring, i * 2 + 1)]),
    );
  }
}

/** Points of a closed box. Most detections are boxes, for which a check of the corners is enough. */
const BOX_POINTS = 5;

/** Parses a detection's outline, in pixels. An outline without an area counts by its centre. */
export function parseOutline(input: GeoJsonPolygonInput, maxVertices: number, path: InputPath): Polygon {
  const rings = boundedRings(input, maxVertices, "a detection", path);
  const [ring] = rings;
  const simple = rings.length === 1 && ring !== undefined && (isConvexBox(ring) || enclosesNothing(ring));
  if (!simple) refuseCrossings(rings, [...path, "coordinates"]);
  return { rings, crs: crsOf(input, path) };
}

/** Parses a zone's boundary, in pixels. It must enclose an area. */
export function parseZonePolygon(input: GeoJsonPolygonInput, maxVertices: number, path: InputPath): Polygon {
  const rings = boundedRings(input, maxVertices, "a zone", path);
  for (const [i, ring] of rings.entries()) {
    if (enclosesNothing(ring)) throw badInput("the ring encloses no area", [...path, "coordinates", i]);
  }
  refuseCrossings(rings, [...path, "coordinates"]);
  return { rings, crs: crsOf(input, path) };
}

const settings = { "a detection": "MAX_DETECTION_VERTICES", "a zone": "MAX_ZONE_VERTICES" } as const;

function boundedRings(
  input: GeoJsonPolygonInput,
  maxVertices: number,
  owner: keyof typeof settings,
  path: InputPath,
): number[][] {
  if (input instanceof FlatPolygon) {
    checkVertices(countVertices(input.rings), maxVertices, owner, path);
    const flaw = checkRings(input.rings);
    if (flaw !== undefined) refuse(flaw, [...path, "coordinates"]);
    return input.rings;
  }
  const { type, coordinates } = input;
  if (type !== "Polygon") throw badInput("type must be 'Polygon'", [...path, "type"]);
  // The vertices are counted before the rings are copied, because there may be many times as many as allowed.
  let vertices = 0;
  for (const points of coordinates) vertices += points.length;
  checkVertices(vertices, maxVertices, owner, path);
  return flatRings(coordinates, [...path, "coordinates"]);
}

function checkVertices(vertices: number, maxVertices: number, owner: keyof typeof settings, path: InputPath): void {
  if (vertices <= maxVertices) return;
  const bound = `${owner} may have ${maxVertices} (${settings[owner]})`;
  throw badInput(`the polygon has ${vertices} vertices, ${bound}`, [...path, "coordinates"]);
}

/** `path` is the path of the coordinates. */
export function flatRings(coordinates: GeoJsonPolygonInput["coordinates"], path: InputPath): number[][] {
  const rings = coordinates.map(flatRing);
  refuse(checkRings(rings), path);
  return rings;
}

function flatRing(points: readonly (readonly number[])[]): number[] {
  const ring: number[] = [];
  // A missing coordinate becomes NaN, which the check refuses.
  for (const point of points) ring.push(point[0] ?? Number.NaN, point[1] ?? Number.NaN);
  return ring;
}

/** `path` is the path of the coordinates. */
export function refuseCrossings(rings: readonly number[][], path: InputPath): void {
  const flaw = flawOfRings(rings);
  if (flaw !== undefined) throw badInput(flaw, path);
}

/** True for five points, closed, turning the same way at every corner. */
function isConvexBox(ring: readonly number[]): boolean {
  if (ring.length !== BOX_POINTS * 2) return false;
  let turn = 0;
  for (let i = 0; i < 4; i++) {
    const a = i * 2;
    const b = ((i + 1) % 4) * 2;
    const c = ((i + 2) % 4) * 2;
    const cross =
      (at(ring, b) - at(ring, a)) * (at(ring, c + 1) - at(ring, b + 1)) -
      (at(ring, b + 1) - at(ring, a + 1)) * (at(ring, c) - at(ring, b));
    const sign = Math.sign(cross);
    if (sign === 0 || (turn !== 0 && sign !== turn)) return false;
    turn = sign;
  }
  return true;
}

const at = (ring: readonly number[], i: number): number => ring[i] ?? Number.NaN;
