// FilterPointInput over positions in degrees: any of the positions may match.

import type { GeoPosition } from "../../schemas/events.ts";
import type { FilterPointInput, FilterPointNearInput, GeoJSONPolygonInput } from "../../schemas/filters.ts";
import { hasPosition, type SeenPositions, type SeenSoFar } from "../feed/seen-positions.ts";

/** Mean radius of the Earth in metres (IUGG). */
const EARTH_RADIUS_M = 6_371_008.8;

export function matchesPoints(filter: FilterPointInput, positions: readonly GeoPosition[]): boolean {
  const { attributeExists } = filter;
  if (attributeExists != null && attributeExists !== positions.length > 0) return false;
  return !asksWhere(filter) || positions.some(({ longitude, latitude }) => isThere(filter, longitude, latitude));
}

/** The same over all positions of a track; each filter looks at each pair once. */
export function matchesSeen(filter: FilterPointInput, soFar: SeenSoFar): boolean {
  const { attributeExists } = filter;
  if (attributeExists != null && attributeExists !== hasPosition(soFar)) return false;
  return !asksWhere(filter) || wasThere(filter, soFar);
}

/** How far a filter has looked at a track's positions. */
interface Looked {
  before: boolean | undefined;
  /** Number of the next pair to look at, and of the first that matched. */
  next: number;
  found: number;
}

const looks = new WeakMap<FilterPointInput, WeakMap<SeenPositions, Looked>>();

function wasThere(filter: FilterPointInput, { seen, count }: SeenSoFar): boolean {
  const looked = lookedBy(filter, seen);
  const { before, pairs, first } = seen;
  if (looked.before === undefined && before !== undefined)
    looked.before = findPair(filter, before, 0, before.length) >= 0;
  if (looked.before === true || looked.found < count) return true;
  const found = findPair(filter, pairs, 2 * (Math.max(looked.next, first) - first), 2 * (count - first));
  looked.next = Math.max(looked.next, count);
  if (found < 0) return false;
  looked.found = first + found / 2;
  return true;
}

function lookedBy(filter: FilterPointInput, seen: SeenPositions): Looked {
  const ofFilter = looks.get(filter) ?? new WeakMap<SeenPositions, Looked>();
  const looked = ofFilter.get(seen) ?? { before: undefined, next: 0, found: Number.POSITIVE_INFINITY };
  ofFilter.set(seen, looked);
  looks.set(filter, ofFilter);
  return looked;
}

function findPair(filter: FilterPointInput, pairs: readonly number[], from: number, to: number): number {
  for (let i = from; i < to; i += 2) {
    if (isThere(filter, pairs[i] ?? Number.NaN, pairs[i + 1] ?? Number.NaN)) return i;
  }
  return -1;
}

const asksWhere = ({ in: polygon, near }: FilterPointInput): boolean => polygon != null || near != null;

function isThere({ in: polygon, near }: FilterPointInput, longitude: number, latitude: number): boolean {
  return (
    (polygon == null || isInside(polygon, longitude, latitude)) && (near == null || isNear(near, longitude, latitude))
  );
}

/** Even-odd rule over all rings, so that holes are outside. */
function isInside({ coordinates }: GeoJSONPolygonInput, longitude: number, latitude: number): boolean {
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
function isNear({ point, radius }: FilterPointNearInput, longitude: number, latitude: number): boolean {
  const [lon = Number.NaN, lat = Number.NaN] = point.coordinates;
  const halfLat = radians(latitude - lat) / 2;
  const halfLon = radians(longitude - lon) / 2;
  const h = Math.sin(halfLat) ** 2 + Math.cos(radians(lat)) * Math.cos(radians(latitude)) * Math.sin(halfLon) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h))) <= radius;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
