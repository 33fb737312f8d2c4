/** Mean radius of the Earth in metres (IUGG). */
export const EARTH_RADIUS_M = 6_371_008.8;
export const RADIANS = Math.PI / 180;

/** A point on the Earth, in degrees. */
export interface GeoPoint {
  readonly longitude: number;
  readonly latitude: number;
}

/** Metres along the ground (haversine). Written by hand: each detection calls it, and @turf/distance allocates. */
export function distanceM(from: GeoPoint, to: GeoPoint): number {
  const halfLat = ((to.latitude - from.latitude) * RADIANS) / 2;
  const halfLon = ((to.longitude - from.longitude) * RADIANS) / 2;
  const h =
    Math.sin(halfLat) ** 2 +
    Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * Math.sin(halfLon) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Direction at `from` of the shortest way to `to`: degrees clockwise from north, in [0, 360). */
export function bearingDeg(from: GeoPoint, to: GeoPoint): number {
  const turn = (to.longitude - from.longitude) * RADIANS;
  const cosTo = Math.cos(to.latitude * RADIANS);
  const rise = (to.latitude - from.latitude) * RADIANS;
  const east = Math.sin(turn) * cosTo;
  // Written as a sum with sin(to - from): the usual difference of two products loses digits when the way is short.
  const north = Math.sin(rise) + Math.sin(from.latitude * RADIANS) * cosTo * 2 * Math.sin(turn / 2) ** 2;
  const degrees = Math.atan2(east, north) / RADIANS;
  return degrees < 0 ? (degrees + 360) % 360 : degrees;
}

/**
 * The place on the shortest way. `share` is the part of the way from `from` (0) to `to` (1). The longitude of the
 * result is in [-180, 180].
 */
export function placeBetween(from: GeoPoint, to: GeoPoint, share: number): GeoPoint {
  if (share <= 0) return from;
  if (share >= 1) return to;
  const angle = distanceM(from, to) / EARTH_RADIUS_M;
  // When the places are the same or opposite, the way has no direction.
  const [a, b] = Math.sin(angle) === 0 ? [1 - share, share] : [Math.sin((1 - share) * angle), Math.sin(share * angle)];
  const [x0, y0, z0] = vectorOf(from);
  const [x1, y1, z1] = vectorOf(to);
  const [x, y, z] = [a * x0 + b * x1, a * y0 + b * y1, a * z0 + b * z1];
  return { longitude: Math.atan2(y, x) / RADIANS, latitude: Math.atan2(z, Math.hypot(x, y)) / RADIANS };
}

function vectorOf({ longitude, latitude }: GeoPoint): readonly [number, number, number] {
  const cos = Math.cos(latitude * RADIANS);
  return [cos * Math.cos(longitude * RADIANS), cos * Math.sin(longitude * RADIANS), Math.sin(latitude * RADIANS)];
}
