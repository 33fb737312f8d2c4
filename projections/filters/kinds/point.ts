// Filters on positions in degrees.
import { badInput } from "../../../schemas/errors.ts";
import type { GeoPosition } from "../../../schemas/events.ts";
import type { FilterPointInput, FilterPointNearInput, GeoJSONPolygonInput } from "../../../schemas/filters.ts";
import { isWithin, type PreparedArea, prepareArea } from "../../geometry/area.ts";
import { distanceM, EARTH_RADIUS_M, type GeoPoint, RADIANS } from "../../geometry/great-circle.ts";
import { type Here, inside, type PolygonPieces, shapeOf } from "../sql/inside.ts";
import { all, given, type Params } from "../sql/sql.ts";

/** The columns of a place. The place is missing when one of them is NULL. */
interface Columns {
  readonly longitude: string;
  readonly latitude: string;
}

/** A subject matches when any of its places does. */
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
  return !concernsPosition(filter) || positions.some(({ longitude, latitude }) => isThere(filter, longitude, latitude));
}

export const concernsPosition = ({ in: polygon, near }: FilterPointInput): boolean => polygon != null || near != null;

export function isThere({ in: polygon, near }: FilterPointInput, longitude: number, latitude: number): boolean {
  return (
    (polygon == null || isInside(polygon, longitude, latitude)) && (near == null || isNear(near, longitude, latitude))
  );
}

/** The polygons prepared for tests in memory. They are kept between the messages of a subscription. */
const areas = new WeakMap<GeoJSONPolygonInput, PreparedArea>();

/** A position on the border is outside. */
function isInside(polygon: GeoJSONPolygonInput, longitude: number, latitude: number): boolean {
  const area = areas.get(polygon) ?? prepareArea(polygon.coordinates.map((ring) => ring.flatMap(place)));
  areas.set(polygon, area);
  return isWithin(area, longitude, latitude);
}

function isNear({ point: { coordinates }, radius }: FilterPointNearInput, longitude: number, latitude: number) {
  const [lon = Number.NaN, lat = Number.NaN] = coordinates;
  return distanceM({ longitude: lon, latitude: lat }, { longitude, latitude }) <= radius;
}

/** Throws BAD_USER_INPUT for coordinates that are no polygon or no point. */
export function compilePoint(params: Params, { longitude, latitude }: Columns, filter: FilterPointInput): string {
  const present = `${longitude} IS NOT NULL AND ${latitude} IS NOT NULL`;
  const here = { x: `assumeNotNull(${longitude})`, y: `assumeNotNull(${latitude})` };
  const conditions: string[] = [];
  if (given(filter.in)) conditions.push(`${present} AND ${inside(params, shapeOfPolygon(filter.in), here)}`);
  if (given(filter.near)) conditions.push(`${present} AND ${near(params, here, filter.near)}`);
  if (given(filter.attributeExists)) conditions.push(filter.attributeExists ? present : `NOT (${present})`);
  return all(conditions);
}

/** The polygons prepared for SQL. Many fields of one operation may have the same variable. */
const shapes = new WeakMap<GeoJSONPolygonInput, PolygonPieces>();

/** Prepares a polygon for SQL. Idempotent. Throws BAD_USER_INPUT for coordinates that are no polygon. */
export function shapeOfPolygon(polygon: GeoJSONPolygonInput): PolygonPieces {
  const known = shapes.get(polygon);
  if (known !== undefined) return known;
  if (polygon.coordinates.length === 0) throw badInput("a polygon needs a ring");
  const rings = polygon.coordinates.map((ring) => {
    if (ring.length < 4) throw badInput("a ring needs four or more points");
    return ring.map(place);
  });
  const shape = shapeOf(rings);
  shapes.set(polygon, shape);
  return shape;
}

function near(params: Params, { x, y }: Here, { point: { coordinates }, radius }: FilterPointNearInput): string {
  const [lon, lat] = place(coordinates);
  if (!(radius >= 0)) throw badInput("a radius must be 0 or more");
  const centre = { longitude: params.bind("Float64", lon), latitude: params.bind("Float64", lat) };
  return `${distanceSql(centre, { longitude: x, latitude: y })} <= ${params.bind("Float64", radius)}`;
}

type PointInSql = Readonly<Record<keyof GeoPoint, string>>;

/**
 * Metres along the ground, operation for operation as `distanceM`; the arguments are expressions. ClickHouse's
 * greatCircleDistance takes sines from a table: beyond 10 km its distances are up to 0.5 % off.
 */
function distanceSql(from: PointInSql, to: PointInSql): string {
  const half = (member: keyof GeoPoint) => `(${to[member]} - ${from[member]}) * ${RADIANS} / 2`;
  const cos = ({ latitude }: PointInSql) => `cos(${latitude} * ${RADIANS})`;
  const h = `pow(sin(${half("latitude")}), 2) + ${cos(from)} * ${cos(to)} * pow(sin(${half("longitude")}), 2)`;
  return `2 * ${EARTH_RADIUS_M} * asin(least(1, sqrt(${h})))`;
}

function place(coordinates: readonly number[]): [number, number] {
  const [longitude, latitude] = coordinates;
  if (longitude === undefined || latitude === undefined) throw badInput("a point needs longitude and latitude");
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) throw badInput("not a finite number");
  return [longitude, latitude];
}
