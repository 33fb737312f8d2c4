// Positions in degrees.
import { badInput } from "../../../schemas/errors.ts";
import type { GeoPosition } from "../../../schemas/events.ts";
import type { FilterPointInput, FilterPointNearInput, GeoJSONPolygonInput } from "../../../schemas/filters.ts";
import { distanceM } from "../../great-circle.ts";
import { all, given, type Params } from "../sql/sql.ts";

/** The columns of a place; if one is NULL, the place is missing. */
interface Columns {
  readonly longitude: string;
  readonly latitude: string;
}

/** A subject matches if any of its places does. */
type Places<Subject> = (subject: Subject) => readonly GeoPosition[];

export const pointInMemory = <Subject>(value: Places<Subject>) => ({
  test: (filter: FilterPointInput) => (subject: Subject) => matchesPoints(filter, value(subject)),
});

export const point = <Subject>(value: Places<Subject>, columns: Columns) => ({
  ...pointInMemory(value),
  isKey: false,
  compile: (filter: FilterPointInput, { params }: { readonly params: Params }) => compilePoint(params, columns, filter),
});

export function matchesPoints(filter: FilterPointInput, positions: readonly GeoPosition[]): boolean {
  const { attributeExists } = filter;
  if (attributeExists != null && attributeExists !== positions.length > 0) return false;
  return !asksWhere(filter) || positions.some(({ longitude, latitude }) => isThere(filter, longitude, latitude));
}

export const asksWhere = ({ in: polygon, near }: FilterPointInput): boolean => polygon != null || near != null;

export function isThere({ in: polygon, near }: FilterPointInput, longitude: number, latitude: number): boolean {
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

function isNear({ point: { coordinates }, radius }: FilterPointNearInput, longitude: number, latitude: number) {
  const [lon = Number.NaN, lat = Number.NaN] = coordinates;
  return distanceM({ longitude: lon, latitude: lat }, { longitude, latitude }) <= radius;
}

/** Throws BAD_USER_INPUT for coordinates that are no polygon or no point. */
export function compilePoint(params: Params, { longitude, latitude }: Columns, filter: FilterPointInput): string {
  const present = `${longitude} IS NOT NULL AND ${latitude} IS NOT NULL`;
  const here = `assumeNotNull(${longitude}), assumeNotNull(${latitude})`;
  const conditions: string[] = [];
  if (given(filter.in)) conditions.push(`${present} AND pointInPolygon((${here}), ${polygon(params, filter.in)})`);
  if (given(filter.near)) conditions.push(`${present} AND ${near(params, here, filter.near)}`);
  if (given(filter.attributeExists)) conditions.push(filter.attributeExists ? present : `NOT (${present})`);
  return all(conditions);
}

function polygon(params: Params, { coordinates }: GeoJSONPolygonInput): string {
  if (coordinates.length === 0) throw badInput("a polygon needs a ring");
  const rings = coordinates.map((ring) => {
    if (ring.length < 4) throw badInput("a ring needs four or more points");
    return ring.map(place);
  });
  return params.bindRings(rings);
}

/** Great-circle distance on a sphere, metres. */
function near(params: Params, here: string, { point: { coordinates }, radius }: FilterPointNearInput): string {
  const [longitude, latitude] = place(coordinates);
  if (!(radius >= 0)) throw badInput("a radius must be 0 or more");
  const centre = `${params.bind("Float64", longitude)}, ${params.bind("Float64", latitude)}`;
  return `greatCircleDistance(${here}, ${centre}) <= ${params.bind("Float64", radius)}`;
}

function place(coordinates: readonly number[]): [number, number] {
  const [longitude, latitude] = coordinates;
  if (longitude === undefined || latitude === undefined) throw badInput("a point needs longitude and latitude");
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) throw badInput("not a finite number");
  return [longitude, latitude];
}
