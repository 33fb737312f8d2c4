// Ways whose place, speed and direction are known at every instant.
import type { Box } from "../../../../projections/geometry/box.ts";
import { EARTH_RADIUS_M, type GeoPoint, RADIANS } from "../../../../projections/geometry/great-circle.ts";
import type { Spot } from "../../../../projections/snapshot/spot.ts";

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

export const START = Date.UTC(2026, 0, 1);

export const boxAround = ({ x, y }: Pixel, width = 40, height = 90): Box => ({
  minX: x - width / 2,
  minY: y - height / 2,
  maxX: x + width / 2,
  maxY: y + height / 2,
});

export const spot = (overrides: Partial<Spot> = {}): Spot => ({
  at: START,
  box: null,
  place: null,
  recordedAt: null,
  ...overrides,
});

/** `seconds` since START. */
export const spotsOf = (seconds: readonly number[], seen: (second: number) => Partial<Spot>): Spot[] =>
  seconds.map((second) => spot({ at: START + second * 1000, ...seen(second) }));

export const every = (step: number, from: number, to: number): number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => Math.round((from + i * step) * 1000) / 1000);

export interface Voyage {
  at(second: number): GeoPoint;
  /** Degrees clockwise from north, on the way at this second. */
  bearing(second: number): number;
}

type Vector = readonly [number, number, number];

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Along a great circle at a constant speed: a rotation of the sphere, without a formula for distances or bearings. */
export function voyage(from: GeoPoint, bearingDeg: number, speedM: number): Voyage {
  const [lon, lat] = [from.longitude * RADIANS, from.latitude * RADIANS];
  const up: Vector = [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  const [east, north] = eastAndNorth(from);
  const [toEast, toNorth] = [Math.sin(bearingDeg * RADIANS), Math.cos(bearingDeg * RADIANS)];
  const ahead: Vector = [
    toEast * east[0] + toNorth * north[0],
    toEast * east[1] + toNorth * north[1],
    toEast * east[2] + toNorth * north[2],
  ];
  const turned = (second: number, quarter: number): Vector => {
    const angle = (speedM * second) / EARTH_RADIUS_M + quarter;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return [cos * up[0] + sin * ahead[0], cos * up[1] + sin * ahead[1], cos * up[2] + sin * ahead[2]];
  };
  const at = (second: number): GeoPoint => {
    const [x, y, z] = turned(second, 0);
    return { longitude: Math.atan2(y, x) / RADIANS, latitude: Math.atan2(z, Math.hypot(x, y)) / RADIANS };
  };
  return {
    at,
    bearing(second) {
      const [e, n] = eastAndNorth(at(second));
      const heading = turned(second, Math.PI / 2);
      return (Math.atan2(dot(heading, e), dot(heading, n)) / RADIANS + 360) % 360;
    },
  };
}

function eastAndNorth({ longitude, latitude }: GeoPoint): readonly [Vector, Vector] {
  const [lon, lat] = [longitude * RADIANS, latitude * RADIANS];
  return [
    [-Math.sin(lon), Math.cos(lon), 0],
    [-Math.sin(lat) * Math.cos(lon), -Math.sin(lat) * Math.sin(lon), Math.cos(lat)],
  ];
}
