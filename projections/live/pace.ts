// A fold rests after so many vertices, because a large polygon costs as much as dozens of boxes; so do many geofences, and
// many outputs.
import { countVertices } from "../../schemas/bounds.ts";
import type { Detection } from "../../schemas/events.ts";
import type { Fold } from "./state.ts";

/** Work that may rest wherever it yields. */
export type Steps = Generator<void, void>;

/** One of the largest detections, or some dozens of boxes. */
const VERTICES_PER_STEP = 256;
/** The look at a geofence costs as much as these, and an output at least as much. */
const VERTICES_PER_GEOFENCE = 2;

/** Of what `fold.looked` counts. */
const LOOKED_PER_STEP = VERTICES_PER_STEP / VERTICES_PER_GEOFENCE;

/** Whether a fold that is telling subscriptions should rest: thousands of them may hear of one detection in hundreds of zones. */
export function isRestDue(fold: Pick<Fold, "looked">): boolean {
  if (fold.looked < LOOKED_PER_STEP) return false;
  fold.looked = 0;
  return true;
}

/** Takes all steps at once. */
export function finish(steps: Steps): void {
  while (!steps.next().done);
}

/** Returns a function that says after each detection whether the fold should rest. */
export function createPace(fold: Pick<Fold, "looked" | "outputs">): (detection: Detection) => boolean {
  let vertices = 0;
  let { outputs } = fold;
  return ({ polygon }) => {
    if (polygon !== null) vertices += countVertices(polygon.rings);
    vertices += (fold.looked + fold.outputs - outputs) * VERTICES_PER_GEOFENCE;
    fold.looked = 0;
    outputs = fold.outputs;
    if (vertices < VERTICES_PER_STEP) return false;
    vertices = 0;
    return true;
  };
}
