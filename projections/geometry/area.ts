// Tests whether a position lies in an area on the plane of degrees. A position on the border is outside.
import type Flatbush from "flatbush";
import { countVertices } from "../../schemas/bounds.ts";
import type { Polygon } from "../../schemas/events.ts";
import { type Box, boxOfRing } from "./box.ts";
import { indexEdges } from "./edge-index.ts";

/**
 * A prepared polygon: its box, and its edges as x0, y0, x1, y1 with the left end first, the lower one of a vertical
 * edge.
 */
export interface PreparedArea extends Box {
  readonly edges: Float64Array;
  /** Boxes of the edges. Null when the edges are few enough to test each. */
  readonly tree: Flatbush | null;
}

const NUMBERS_PER_EDGE = 4;

export function prepareArea(rings: Polygon["rings"]): PreparedArea {
  const edges = new Float64Array((countVertices(rings) - rings.length) * NUMBERS_PER_EDGE);
  let used = 0;
  for (const ring of rings) {
    for (let i = 3; i < ring.length; i += 2) {
      writeEdge(edges, used, ring, i);
      used += NUMBERS_PER_EDGE;
    }
  }
  return { ...boxOfRing(rings[0] ?? []), edges, tree: indexEdges(edges, NUMBERS_PER_EDGE) };
}

export const countEdges = ({ edges }: PreparedArea): number => edges.length / NUMBERS_PER_EDGE;

/** Tests the box as an index of boxes does: the border counts. */
export const touchesBox = ({ minX, minY, maxX, maxY }: PreparedArea, x: number, y: number): boolean =>
  x >= minX && x <= maxX && y >= minY && y <= maxY;

/** Even-odd over all rings, because holes lie within the exterior ring and do not touch it. */
export function isWithin(area: PreparedArea, x: number, y: number): boolean {
  const { minX, minY, maxX, maxY, edges, tree } = area;
  if (!(x > minX && x < maxX && y > minY && y < maxY)) return false;
  let above = 0;
  if (tree === null) {
    for (let i = 0; i < edges.length; i += NUMBERS_PER_EDGE) {
      const side = sideOf(edges, i, x, y);
      if (side < 0) return false;
      above += side;
    }
  } else {
    for (const edge of tree.search(x, y, x, Number.POSITIVE_INFINITY)) {
      const side = sideOf(edges, edge * NUMBERS_PER_EDGE, x, y);
      if (side < 0) return false;
      above += side;
    }
  }
  return above % 2 === 1;
}

/** @returns -1 when the point is on the edge, 1 when the edge is above the point, else 0. */
function sideOf(edges: Float64Array, i: number, x: number, y: number): -1 | 0 | 1 {
  const x0 = edges[i] ?? 0;
  const x1 = edges[i + 2] ?? 0;
  if (x < x0 || x > x1) return 0;
  const y0 = edges[i + 1] ?? 0;
  const y1 = edges[i + 3] ?? 0;
  if (x0 === x1) return y >= y0 && y <= y1 ? -1 : 0;
  const lead = (y1 - y0) * (x - x0) - (x1 - x0) * (y - y0);
  if (lead === 0) return -1;
  // When two edges meet at this longitude, one of them counts.
  return lead > 0 && x < x1 ? 1 : 0;
}

function writeEdge(edges: Float64Array, at: number, ring: readonly number[], i: number): void {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [ring[i - 3], ring[i - 2], ring[i - 1], ring[i]];
  const forward = x0 < x1 || (x0 === x1 && y0 <= y1);
  edges[at] = forward ? x0 : x1;
  edges[at + 1] = forward ? y0 : y1;
  edges[at + 2] = forward ? x1 : x0;
  edges[at + 3] = forward ? y1 : y0;
}
