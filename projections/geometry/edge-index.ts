// The index of a polygon's edges: with their boxes, a search finds the few edges beyond a place.
import Flatbush from "flatbush";

/** With fewer edges, testing each one is faster than the index. */
const TREE_FROM = 200;

/**
 * Each edge takes `numbersPerEdge` numbers and begins with x0, y0, x1, y1, where x0 is not greater than x1.
 * @returns null when the edges are few enough to test each.
 */
export function indexEdges(edges: Float64Array, numbersPerEdge: number): Flatbush | null {
  const count = edges.length / numbersPerEdge;
  if (count < TREE_FROM) return null;
  const tree = new Flatbush(count);
  for (let i = 0; i < edges.length; i += numbersPerEdge) {
    const y0 = edges[i + 1] ?? 0;
    const y1 = edges[i + 3] ?? 0;
    tree.add(edges[i] ?? 0, Math.min(y0, y1), edges[i + 2] ?? 0, Math.max(y0, y1));
  }
  tree.finish();
  return tree;
}
