// How a track moved over the detections of a window, in the image and on the ground.
import { centreOf } from "../box.ts";
import { bearingDeg, distanceM } from "../great-circle.ts";
import { directionOf } from "../live/motion.ts";
import type { Spots } from "./spot.ts";

/** px/s or m/s. With one detection everything but the count is null. */
export interface WindowMotion {
  /** Mean of the speeds between consecutive detections. */
  readonly avg_velocity: number | null;
  readonly max_velocity: number | null;
  /** Of the displacement over the window: degrees clockwise from up (image) or north (ground); null without one. */
  readonly direction: number | null;
  /** Pairs of consecutive detections. */
  readonly sample_count: number;
}

/** null: no detection has a polygon. */
export function motionInImage(spots: Spots): WindowMotion | null {
  const centres = spots.flatMap(({ at, box }) => (box === null ? [] : [{ at, where: centreOf(box) }]));
  return motionOf(centres, {
    distance: (from, to) => Math.hypot(to.x - from.x, to.y - from.y),
    direction: (from, to) => directionOf({ dx: to.x - from.x, dy: to.y - from.y }),
  });
}

/** null: no detection has a position. */
export function motionOnGround(spots: Spots): WindowMotion | null {
  const places = spots.flatMap(({ at, place }) => (place === null ? [] : [{ at, where: place }]));
  return motionOf(places, {
    distance: distanceM,
    direction: (from, to) => (distanceM(from, to) === 0 ? null : bearingDeg(from, to)),
  });
}

interface Point<Where> {
  readonly at: number;
  readonly where: Where;
}

interface Space<Where> {
  distance(from: Where, to: Where): number;
  direction(from: Where, to: Where): number | null;
}

function motionOf<Where>(points: readonly Point<Where>[], space: Space<Where>): WindowMotion | null {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  let sum = 0;
  let max = 0;
  let before = first;
  for (const point of points.slice(1)) {
    const speed = (space.distance(before.where, point.where) * 1000) / (point.at - before.at);
    sum += speed;
    max = Math.max(max, speed);
    before = point;
  }
  const pairs = points.length - 1;
  return {
    avg_velocity: pairs === 0 ? null : sum / pairs,
    max_velocity: pairs === 0 ? null : max,
    direction: space.direction(first.where, last.where),
    sample_count: pairs,
  };
}
