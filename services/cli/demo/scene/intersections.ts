// The true intersections of a scene, computed from its detections. The area test is not that of the fold, so that the
// two can be compared.
import type { PixelBox, PointRing, SceneDetection, SceneTrack, SceneZone, TrueIntersection } from "./types.ts";

/** Time without detections after which a track is over. */
const TRACK_TTL_MS = 15_000;

/** Minimum shared area, px²; less is a rounding error. */
const MIN_AREA = 1e-9;

/** Sorted by track, then zone, then time. */
export function intersectionsOf(tracks: readonly SceneTrack[], zones: readonly SceneZone[]): TrueIntersection[] {
  const all: TrueIntersection[] = [];
  for (const track of tracks) {
    const stretches = stretchesOf(track);
    for (const zone of zones) {
      for (const stretch of stretches) {
        for (const [startTime, endTime] of stays(stretch, zone))
          all.push({ trackId: track.trackId, zoneName: zone.name, startTime, endTime });
      }
    }
  }
  return all;
}

interface Stretch {
  readonly detections: readonly SceneDetection[];
  readonly end: number;
}

/** The parts of a track between dropouts longer than the TTL. */
function stretchesOf({ detections, endTime }: SceneTrack): Stretch[] {
  const cuts = detections.flatMap(({ timestamp }, index) => {
    const previous = detections[index - 1];
    return previous && timestamp - previous.timestamp > TRACK_TTL_MS ? [index] : [];
  });
  const bounds = [0, ...cuts, detections.length];
  return bounds.slice(1).map((until, index) => {
    const part = detections.slice(bounds[index], until);
    const last = part.at(-1)?.timestamp ?? 0;
    const isLast = until === detections.length;
    return { detections: part, end: isLast ? (endTime ?? last) : last };
  });
}

function stays({ detections, end }: Stretch, zone: SceneZone): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let since: number | undefined;
  for (const { timestamp, box } of detections) {
    const inside = sharedArea(box, zone) > MIN_AREA;
    if (inside) since ??= timestamp;
    else if (since !== undefined) {
      found.push([since, timestamp]);
      since = undefined;
    }
  }
  if (since !== undefined) found.push([since, end]);
  return found;
}

/**
 * Returns px². Each ring is clipped to the box (Sutherland-Hodgman), its area computed by the shoelace formula; holes
 * are subtracted.
 */
function sharedArea(box: PixelBox, { rings }: SceneZone): number {
  const [exterior = 0, ...holes] = rings.map((ring) => Math.abs(shoelace(clipToBox(ring, box))));
  return holes.reduce((area, hole) => area - hole, exterior);
}

function clipToBox(ring: PointRing, [left, top, right, bottom]: PixelBox): PointRing {
  const sides = [
    { axis: 0, at: left, sign: 1 },
    { axis: 1, at: top, sign: 1 },
    { axis: 0, at: right, sign: -1 },
    { axis: 1, at: bottom, sign: -1 },
  ] as const;
  let points = ring.slice(1);
  for (const { axis, at, sign } of sides) {
    const clipped: (readonly [number, number])[] = [];
    for (const [index, to] of points.entries()) {
      const from = points.at(index - 1) ?? to;
      const [before, after] = [(from[axis] - at) * sign, (to[axis] - at) * sign];
      if (before * after < 0) {
        const share = before / (before - after);
        const along = (k: 0 | 1) => (k === axis ? at : from[k] + (to[k] - from[k]) * share);
        clipped.push([along(0), along(1)]);
      }
      if (after >= 0) clipped.push(to);
    }
    points = clipped;
  }
  return points;
}

/** Signed area of a ring without its repeated first point. */
function shoelace(points: PointRing): number {
  let doubled = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [fromX, fromY] = points.at(index - 1) ?? [x, y];
    doubled += fromX * y - x * fromY;
  }
  return doubled / 2;
}
