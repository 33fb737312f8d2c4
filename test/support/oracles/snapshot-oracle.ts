// The expected snapshot, by a plain look through all detections of a track; nothing is shared with the code under test.

import type { TrackSnapshot } from "../../../schemas/rest/detections.ts";

import type { OracleDetection, OracleIntersection } from "./oracle.ts";
import { type Rings, sharedArea } from "./oracle-area.ts";

export interface SnapshotScene {
  /** Detections of one track, in any order. Their rings are boxes. */
  readonly detections: readonly OracleDetection[];
  readonly zones: readonly { readonly zoneId: string; readonly rings: Rings }[];
  /** Stays of the same track. */
  readonly stays: readonly OracleIntersection[];
}

export interface Moment {
  readonly at: number;
  readonly windowMs: number;
}

type Point = readonly [x: number, y: number];

/** px²; with less in common a box only touches a zone, and rounding decides. */
const LEAST_AREA = 1e-6;

/**
 * Compares a snapshot with the scene.
 * @returns undefined when the snapshot is right, else the first difference.
 */
export function snapshotDifference(
  found: TrackSnapshot | null,
  scene: SnapshotScene,
  { at, windowMs }: Moment,
): string | undefined {
  const seen = scene.detections
    .filter(({ timestamp }) => Math.abs(timestamp - at) <= windowMs)
    .sort((a, b) => a.timestamp - b.timestamp);
  if (seen.length === 0 || found === null) return seen.length === 0 && found === null ? undefined : "null";
  const { position, motion, zones } = found;
  const place = placeAt(seen, at);
  const inImage = motionOf(seen);
  const numbers: readonly (readonly [string, number | null | undefined, number | null])[] = [
    ["detections", found.detections_in_window, seen.length],
    ["offset", position.offset_ms, Math.min(...seen.map(({ timestamp }) => Math.abs(timestamp - at)))],
    ...place.corners.flatMap(([x, y], i): [string, number | undefined, number][] => [
      [`x of corner ${i}`, position.polygon?.[i]?.[0], x],
      [`y of corner ${i}`, position.polygon?.[i]?.[1], y],
    ]),
    ["x", position.pix?.x, mean(place.corners.map(([x]) => x))],
    ["y", position.pix?.y, mean(place.corners.map(([, y]) => y))],
    ["mean speed", motion.pix?.avg_velocity, inImage.mean],
    ["greatest speed", motion.pix?.max_velocity, inImage.max],
    ["direction", motion.pix?.direction, inImage.direction],
    ["samples", motion.pix?.sample_count, seen.length - 1],
  ];
  if (position.method !== place.method) return `method ${position.method}, expected ${place.method}`;
  for (const [what, is, expected] of numbers) {
    if (!isSame(is, expected)) return `${what} ${is}, expected ${expected}`;
  }
  return zonesDifference(zones.active_at_timestamp, scene, place, at);
}

interface Placed {
  readonly method: string;
  readonly corners: readonly Point[];
  /** The time of the nearest detection where the position is extrapolated, else the instant. */
  readonly seenAt: number;
}

function placeAt(seen: readonly OracleDetection[], at: number): Placed {
  const before = seen.filter(({ timestamp }) => timestamp <= at).at(-1);
  const after = seen.find(({ timestamp }) => timestamp >= at);
  if (before === undefined) return { method: "backward_extrapolation", ...still(after) };
  if (after === undefined) return { method: "forward_extrapolation", ...still(before) };
  if (before === after) return { method: "real", ...still(before) };
  const weight = (after.timestamp - at) / (after.timestamp - before.timestamp);
  const ends = cornersOf(after);
  const corners = cornersOf(before).map(([x, y], i): Point => {
    const [toX = 0, toY = 0] = ends[i] ?? [];
    return [weight * x + (1 - weight) * toX, weight * y + (1 - weight) * toY];
  });
  return { method: "linear", corners, seenAt: at };
}

const still = (detection: OracleDetection | undefined) => ({
  corners: detection === undefined ? [] : cornersOf(detection),
  seenAt: detection?.timestamp ?? Number.NaN,
});

const cornersOf = ({ ring }: OracleDetection): Point[] => ring.slice(0, 4).map(([x = 0, y = 0]) => [x, y]);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function motionOf(seen: readonly OracleDetection[]) {
  const centres = seen.map((detection) => {
    const corners = cornersOf(detection);
    return { at: detection.timestamp, x: mean(corners.map(([x]) => x)), y: mean(corners.map(([, y]) => y)) };
  });
  const speeds: number[] = [];
  for (const [i, to] of centres.entries()) {
    const from = centres[i - 1];
    if (from !== undefined)
      speeds.push(Math.sqrt((to.x - from.x) ** 2 + (to.y - from.y) ** 2) / ((to.at - from.at) / 1_000));
  }
  const [first] = centres;
  const last = centres.at(-1);
  const [dx, dy] = [(last?.x ?? 0) - (first?.x ?? 0), (last?.y ?? 0) - (first?.y ?? 0)];
  const direction = dx === 0 && dy === 0 ? null : ((Math.atan2(dy, dx) * 180) / Math.PI + 450) % 360;
  if (speeds.length === 0) return { mean: null, max: null, direction };
  return { mean: mean(speeds), max: Math.max(...speeds), direction };
}

function zonesDifference(
  found: TrackSnapshot["zones"]["active_at_timestamp"],
  { zones, stays }: SnapshotScene,
  { corners, seenAt }: Placed,
  at: number,
): string | undefined {
  const ring = [...corners, ...corners.slice(0, 1)];
  const area = sharedArea([ring], [ring]);
  for (const { zoneId, rings } of zones) {
    const shared = sharedArea(rings, [ring]);
    const is = found[zoneId];
    if (shared < LEAST_AREA) {
      if ((is?.intersection_percent ?? 0) > 1e-3) return `in zone ${zoneId}`;
      continue;
    }
    if (!isSame(is?.intersection_percent, (100 * shared) / area)) {
      return `${is?.intersection_percent} % in zone ${zoneId}, expected ${(100 * shared) / area}`;
    }
    const running = stays
      .filter((stay) => stay.zoneId === zoneId && stay.startTime <= seenAt && (stay.endTime ?? seenAt) >= seenAt)
      .map(({ startTime }) => startTime);
    if (running.length === 0) continue;
    const dwell = Math.max(0, at - Math.max(...running)) / 1_000;
    if (!isSame(is?.dwell_at_timestamp, dwell)) {
      return `${is?.dwell_at_timestamp} s in zone ${zoneId}, expected ${dwell}`;
    }
  }
  return undefined;
}

function isSame(is: number | null | undefined, expected: number | null): boolean {
  if (is == null || expected === null) return is === expected;
  return Math.abs(is - expected) <= 1e-6 * Math.max(1, Math.abs(expected));
}
