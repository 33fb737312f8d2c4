// A made-up scene that knows its own truth: for the demo and for tests that compare with it.
import { deliver } from "./deliveries.ts";
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

/** The random stream of a camera's deliveries, apart from those of its walkers. */
const DELIVERY_STREAM = 1_000_000;

/** Deterministic: the same options give the same scene, and each camera is the same whatever the others are. */
export function createScene(options: SceneOptions): Scene {
  const cameras = Array.from({ length: options.cameras }, (_, index) =>
    createCamera(index, { ...DEFAULTS, ...options }),
  );
  return { cameras };
}

/** After the deliveries and the TTL the history holds exactly these, if REORDER_MS covers the lateness. @internal */
export const trueIntersections = ({ tracks, zones }: SceneCamera): TrueIntersection[] => intersectionsOf(tracks, zones);

/** A detection's polygon as GeoJSON has it: one closed ring of five points. @internal */
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
    deliveries: deliver(tracks, createRandom(seedFor(seed, index, DELIVERY_STREAM)), {
      ...options,
      frameMs: Math.round(1_000 / fps),
    }),
  };
}
