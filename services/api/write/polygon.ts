// Polygons at the door: GeoJSON rings in, flat rings out, or a refusal that says which ring is at fault and why.

import { badInput } from "../../../schemas/errors.ts";
import type { Polygon } from "../../../schemas/events.ts";
import type { PolygonInput } from "./input-types.ts";
import { meetsItself } from "./self-intersection.ts";

type Path = readonly (string | number)[];

const MIN_POINTS = 4;
/** A closed box. Most detections are one, and for so few points a look at the corners is enough. */
const BOX_POINTS = 5;

/** A detection's outline, in pixels. It may have no area: then it counts by its centre. */
export function parseOutline(input: PolygonInput, maxVertices: number, path: Path): Polygon {
  const most = { vertices: maxVertices, of: "a detection", setting: "MAX_DETECTION_VERTICES" };
  const rings = flatRings(input, most, path);
  const [ring] = rings;
  const simple = rings.length === 1 && ring !== undefined && (isConvexBox(ring) || shoelace(ring) === 0);
  if (!simple) refuseCrossings(rings, path);
  return { rings, crs: crsOf(input) };
}

/** A zone's boundary, in pixels: must enclose an area. */
export function parseZonePolygon(input: PolygonInput, maxVertices: number, path: Path): Polygon {
  const most = { vertices: maxVertices, of: "a zone", setting: "MAX_ZONE_VERTICES" };
  const rings = flatRings(input, most, path);
  for (const [i, ring] of rings.entries()) {
    if (shoelace(ring) === 0) throw badInput("the ring encloses no area", [...path, "coordinates", i]);
  }
  refuseCrossings(rings, path);
  return { rings, crs: crsOf(input) };
}

interface Most {
  readonly vertices: number;
  readonly of: string;
  readonly setting: string;
}

function flatRings({ type, coordinates }: PolygonInput, most: Most, path: Path): number[][] {
  if (type !== "Polygon") throw badInput("type must be 'Polygon'", [...path, "type"]);
  if (coordinates.length === 0) throw badInput("the polygon is empty", [...path, "coordinates"]);
  const vertices = coordinates.reduce((sum, points) => sum + points.length, 0);
  if (vertices > most.vertices) {
    const bound = `${most.of} may have ${most.vertices} (${most.setting})`;
    throw badInput(`the polygon has ${vertices} vertices, ${bound}`, [...path, "coordinates"]);
  }
  return coordinates.map((points, i) => flatRing(points, [...path, "coordinates", i]));
}

function flatRing(points: readonly (readonly number[])[], path: Path): number[] {
  if (points.length < MIN_POINTS) throw badInput("a ring needs four or more points", path);
  const ring: number[] = [];
  for (let i = 0; i < points.length; i++) {
    const point = points[i];
    const x = point?.[0];
    const y = point?.[1];
    if (x === undefined || y === undefined || !Number.isFinite(x) || !Number.isFinite(y)) {
      throw badInput("a point is two finite numbers", [...path, i]);
    }
    ring.push(x, y);
  }
  if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1]) {
    throw badInput("the ring is not closed: its last point must equal its first", path);
  }
  return ring;
}

function refuseCrossings(rings: readonly number[][], path: Path): void {
  if (meetsItself(rings)) throw badInput("the polygon intersects itself", [...path, "coordinates"]);
}

/** Five points, closed, turning the same way at every corner. */
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

/** Twice the signed area. */
function shoelace(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2) {
    sum += at(ring, i) * at(ring, i + 3) - at(ring, i + 2) * at(ring, i + 1);
  }
  return sum;
}

const at = (ring: readonly number[], i: number): number => ring[i] ?? Number.NaN;

const crsOf = ({ crs }: PolygonInput): string | null => (crs == null ? null : JSON.stringify(crs));
