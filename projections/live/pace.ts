// When a fold rests: by the vertices that it has looked at, because a large polygon costs as much as dozens of boxes.
import { countVertices } from "../../schemas/bounds.ts";
import type { Detection } from "../../schemas/events.ts";

/** Work that may rest wherever it yields. */
export type Steps = Generator<void, void>;

/** One detection of the largest, or some dozens of boxes. */
const VERTICES_PER_STEP = 256;

/** Says after each detection whether it is time for a rest. */
export function createPace(): (detection: Detection) => boolean {
  let vertices = 0;
  return ({ polygon }) => {
    if (polygon !== null) vertices += countVertices(polygon.rings);
    if (vertices < VERTICES_PER_STEP) return false;
    vertices = 0;
    return true;
  };
}
