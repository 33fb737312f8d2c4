// The place of a track at one detection, or between two. An unknown number is NaN.
import { distanceM } from "../../geometry/great-circle.ts";

export interface Sight {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Time of the track's detection before this one; NaN when there was none. */
  readonly previousAt: number;
  /** The box around the polygon, pixels. */
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
}

/** A sight as it is stored, in which JSON makes null of NaN. */
export type StoredSight = readonly (number | null)[];

export const storeSight = (sight: Sight): StoredSight => [
  sight.at,
  sight.previousAt,
  sight.minX,
  sight.minY,
  sight.maxX,
  sight.maxY,
  sight.longitude,
  sight.latitude,
];

export function parseSight(stored: StoredSight): Sight {
  const [at, previousAt, minX, minY, maxX, maxY, longitude, latitude] = stored.map((value) => value ?? Number.NaN);
  return {
    at: at ?? Number.NaN,
    previousAt: previousAt ?? Number.NaN,
    minX: minX ?? Number.NaN,
    minY: minY ?? Number.NaN,
    maxX: maxX ?? Number.NaN,
    maxY: maxY ?? Number.NaN,
    longitude: longitude ?? Number.NaN,
    latitude: latitude ?? Number.NaN,
  };
}

/**
 * The place at an instant between two sights of one track, by straight lines. When both are the same sight, that sight
 * is returned.
 */
export function sightBetween(before: Sight, after: Sight, at: number): Sight {
  if (before === after) return after;
  const share = (at - before.at) / (after.at - before.at);
  const mix = (from: number, to: number): number => from + (to - from) * share;
  const east = after.longitude - before.longitude;
  return {
    at,
    previousAt: Number.NaN,
    minX: mix(before.minX, after.minX),
    minY: mix(before.minY, after.minY),
    maxX: mix(before.maxX, after.maxX),
    maxY: mix(before.maxY, after.maxY),
    // The longitude takes the shorter way round, also across the antimeridian.
    longitude: before.longitude + (east - 360 * Math.round(east / 360)) * share,
    latitude: mix(before.latitude, after.latitude),
  };
}

/** Pixels between the edges of two boxes; 0 when they touch, NaN when one track has no box. */
export function boxDistance(a: Sight, b: Sight): number {
  const dx = Math.max(0, a.minX - b.maxX, b.minX - a.maxX);
  const dy = Math.max(0, a.minY - b.maxY, b.minY - a.maxY);
  return Math.sqrt(dx * dx + dy * dy);
}

/** Metres between two positions; NaN when one is unknown. */
export const groundDistance = (a: Sight, b: Sight): number => distanceM(a, b);

/** Boxes that only touch share less area than this, in px². */
const LEAST_AREA = 1e-9;

/** The share of one track's box that the other's box covers, 0 to 1. */
export function coveredShare(of: Sight, by: Sight): number {
  const width = Math.min(of.maxX, by.maxX) - Math.max(of.minX, by.minX);
  const height = Math.min(of.maxY, by.maxY) - Math.max(of.minY, by.minY);
  if (!(width > 0 && height > 0) || width * height <= LEAST_AREA) return 0;
  return (width * height) / ((of.maxX - of.minX) * (of.maxY - of.minY));
}
