// The motion of a track over the detections of a window, in the image and on the ground.
import type { WindowMotion } from "../../schemas/rest/detections.ts";
import { centreOf } from "../geometry/box.ts";
import { bearingDeg, distanceM } from "../geometry/great-circle.ts";
import { directionOf } from "../live/motion.ts";
import type { Spots } from "./spot.ts";

/** @returns null when no detection has a polygon. */
export function motionInImage(spots: Spots): WindowMotion | null {
  const centres = spots.flatMap(({ at, box }) => (box === null ? [] : [{ at, where: centreOf(box) }]));
  return motionOf(centres, {
    distance: (from, to) => Math.hypot(to.x - from.x, to.y - from.y),
    direction: (from, to) => directionOf({ dx: to.x - from.x, dy: to.y - from.y }),
  });
}

/** @returns null when no detection has a position. */
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
