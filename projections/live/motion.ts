// Path length and speeds of a track, in pixels of the image or in metres on the ground.
import { distanceM, EARTH_RADIUS_M, RADIANS } from "../geometry/great-circle.ts";

export interface Motion {
  /** Number of pairs of consecutive detections. */
  samples: number;
  /** Path length: px or m. */
  distance: number;
  /** Sum of the pairs' speeds: px/s or m/s. The velocity is their mean. */
  speedSum: number;
  /** Speed and displacement of the last pair. dx points right or east, dy down or south. */
  speed: number;
  dx: number;
  dy: number;
}

export const createMotion = (): Motion => ({ samples: 0, distance: 0, speedSum: 0, speed: 0, dx: 0, dy: 0 });

/** Adds one pair. `elapsedMs` must be above 0. */
export function addStep(motion: Motion, dx: number, dy: number, distance: number, elapsedMs: number): void {
  const speed = (distance * 1000) / elapsedMs;
  motion.samples++;
  motion.distance += distance;
  motion.speedSum += speed;
  motion.speed = speed;
  motion.dx = dx;
  motion.dy = dy;
}

/**
 * Degrees clockwise from up (image) or north (ground), in [0, 360).
 * @returns null without movement.
 */
export function directionOf({ dx, dy }: Pick<Motion, "dx" | "dy">): number | null {
  if (dx === 0 && dy === 0) return null;
  const degrees = (Math.atan2(dx, -dy) * 180) / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

/**
 * Adds the step between two positions in degrees. The direction is computed in a plane at the middle latitude, which is
 * accurate enough for the short steps between two detections.
 */
export function addGeoStep(
  motion: Motion,
  from: { readonly longitude: number; readonly latitude: number },
  to: { readonly longitude: number; readonly latitude: number },
  elapsedMs: number,
): void {
  const dLat = (to.latitude - from.latitude) * RADIANS;
  const dLon = wrapDegrees(to.longitude - from.longitude) * RADIANS;
  const east = dLon * Math.cos(((from.latitude + to.latitude) / 2) * RADIANS);
  addStep(motion, east * EARTH_RADIUS_M, -dLat * EARTH_RADIUS_M, distanceM(from, to), elapsedMs);
}

const wrapDegrees = (degrees: number): number => degrees - 360 * Math.round(degrees / 360);
