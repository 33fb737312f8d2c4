/** Mean radius of the Earth in metres (IUGG). */
export const EARTH_RADIUS_M = 6_371_008.8;
export const RADIANS = Math.PI / 180;

interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

/** Metres along the ground (haversine). Our own: each detection calls it, and @turf/distance allocates. */
export function distanceM(from: Place, to: Place): number {
  const halfLat = ((to.latitude - from.latitude) * RADIANS) / 2;
  const halfLon = ((to.longitude - from.longitude) * RADIANS) / 2;
  const h =
    Math.sin(halfLat) ** 2 +
    Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * Math.sin(halfLon) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}
