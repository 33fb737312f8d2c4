// A fold pauses after VERTICES_PER_STEP vertices, because a large polygon costs as much as dozens of boxes. Tested
// geofences and outputs are counted as vertices too.
import { countVertices } from "../../schemas/bounds.ts";
import type { Detection } from "../../schemas/events.ts";
import type { Fold } from "./state.ts";

/** Work that may pause wherever it yields. */
export type Steps = Generator<void, void>;

/** The number of vertices of one of the largest detections, or of some dozens of boxes. */
const VERTICES_PER_STEP = 256;
/** A tested geofence costs as much as this many vertices, and an output at least as much. */
const VERTICES_PER_GEOFENCE = 2;

/** The listener's work pauses when `fold.workSincePause` reaches this number. */
const WORK_PER_STEP = VERTICES_PER_STEP / VERTICES_PER_GEOFENCE;

/**
 * @returns true when a fold that raises signals should pause: thousands of subscriptions may get signals of one
 * detection in hundreds of zones.
 */
export function isRestDue(fold: Pick<Fold, "workSincePause">): boolean {
  if (fold.workSincePause < WORK_PER_STEP) return false;
  fold.workSincePause = 0;
  return true;
}

/** Runs all steps at once. */
export function finish(steps: Steps): void {
  while (!steps.next().done);
}

/** Returns a function that returns true after a detection when the fold should pause. */
export function createFoldPace(fold: Pick<Fold, "workSincePause" | "outputs">): (detection: Detection) => boolean {
  let vertices = 0;
  let { outputs } = fold;
  return ({ polygon }) => {
    if (polygon !== null) vertices += countVertices(polygon.rings);
    vertices += (fold.workSincePause + fold.outputs - outputs) * VERTICES_PER_GEOFENCE;
    fold.workSincePause = 0;
    outputs = fold.outputs;
    if (vertices < VERTICES_PER_STEP) return false;
    vertices = 0;
    return true;
  };
}
