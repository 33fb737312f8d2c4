import { EARTH_RADIUS_M, type GeoPoint, RADIANS } from "../../geometry/great-circle.ts";

type PointInSql = Readonly<Record<keyof GeoPoint, string>>;

/**
 * Metres along the ground, operation for operation as `distanceM`; the arguments are expressions. ClickHouse's
 * greatCircleDistance takes sines from a table: beyond 10 km its distances are up to 0.5 % off.
 */
export function distanceSql(from: PointInSql, to: PointInSql): string {
  const half = (member: keyof GeoPoint) => `(${to[member]} - ${from[member]}) * ${RADIANS} / 2`;
  const cos = ({ latitude }: PointInSql) => `cos(${latitude} * ${RADIANS})`;
  const h = `pow(sin(${half("latitude")}), 2) + ${cos(from)} * ${cos(to)} * pow(sin(${half("longitude")}), 2)`;
  return `2 * ${EARTH_RADIUS_M} * asin(least(1, sqrt(${h})))`;
}
