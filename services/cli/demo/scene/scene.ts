// A generated scene with known intersections: for the demo and for tests that compare with it.
import { scheduleDeliveries } from "./deliveries.ts";
import { intersectionsOf } from "./intersections.ts";
import { createRandom, seedFor } from "./random.ts";
import type { Scene, SceneCamera, SceneDetection, SceneOptions, TrueIntersection } from "./types.ts";
import { walk } from "./walkers.ts";
import { zonesFor } from "./zones.ts";

const DEFAULTS = {
  width: 1_920,
  height: 1_080,
  jitterPx: 1.5,
  shortDropoutsPerMinute: 4,
  longDropoutsPerMinute: 0.5,
  duplicateShare: 0,
  maxLateMs: 0,
};

type Settled = SceneOptions & Readonly<typeof DEFAULTS>;

/** Number of the random stream of a camera's deliveries, distinct from those of its walkers. */
const DELIVERY_STREAM = 1_000_000;

/** Deterministic: the same options give the same scene, and no camera depends on the others. */
export function createScene(options: SceneOptions): Scene {
  const cameras = Array.from({ length: options.cameras }, (_, index) =>
    createCamera(index, { ...DEFAULTS, ...options }),
  );
  return { cameras };
}

/**
 * Returns the expected result. After all deliveries are sent and the track TTL has passed, the history holds exactly
 * these intersections. This needs a REORDER_MS no shorter than the scene's longest delay. @internal
 */
export const trueIntersections = ({ tracks, zones }: SceneCamera): TrueIntersection[] => intersectionsOf(tracks, zones);

/** Returns a detection's polygon in the form of GeoJSON: one closed ring of five points. */
export function boxRing({ box: [left, top, right, bottom] }: SceneDetection): [number, number][] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ];
}

function createCamera(index: number, options: Settled): SceneCamera {
  const { seed, width, height, fps, walkersPerCamera } = options;
  const frames = Math.floor(options.seconds * fps);
  const tracks = Array.from({ length: walkersPerCamera }, (_, walker) =>
    walk(createRandom(seedFor(seed, index, walker)), { ...options, frames }, [`${seed}`, `${index}`, `${walker}`]),
  ).flat();
  return {
    name: `camera-${index + 1}`,
    width,
    height,
    zones: options.zones ?? zonesFor(width, height),
    tracks,
    detections: tracks
      .flatMap(({ detections }) => detections)
      .sort((a, b) => a.timestamp - b.timestamp || (a.trackId < b.trackId ? -1 : 1)),
    deliveries: scheduleDeliveries(tracks, createRandom(seedFor(seed, index, DELIVERY_STREAM)), {
      ...options,
      frameMs: Math.round(1_000 / fps),
    }),
  };
}
