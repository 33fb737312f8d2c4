// A grid over a polygon's box. A position is compared only with the edges of its cell.
import { isWithin, type PreparedArea } from "../../geometry/area.ts";

/** The coordinates x0, y0, x1, y1. The left end comes first, or the lower end of a vertical edge. */
export type Edge = readonly [number, number, number, number];

export type GridRings = readonly (readonly (readonly [number, number])[])[];

export interface Grid {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** Cells per degree. */
  readonly perX: number;
  readonly perY: number;
}

/** Number of cells in each direction. */
export const SIDE = 64;
/**
 * With this limit the number of a position's cell fits into an Int64, however small the polygon is and however far away
 * the position.
 */
const MOST_CELLS_PER_DEGREE = 1e7;

export const edgesOf = (rings: GridRings): Edge[] =>
  rings.flatMap((ring) => ring.slice(1).map((to, i) => edgeOf(ring[i] ?? to, to)));

/** The ends are in the same order as in geometry/area.ts, because the direction affects rounding. */
function edgeOf([fromX, fromY]: readonly [number, number], [toX, toY]: readonly [number, number]): Edge {
  const isForward = fromX < toX || (fromX === toX && fromY <= toY);
  return isForward ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
}

export function gridOf(edges: readonly Edge[]): Grid {
  let [minX, minY] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [maxX, maxY] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x0, y0, x1, y1] of edges) {
    minX = Math.min(minX, x0);
    minY = Math.min(minY, y0, y1);
    maxX = Math.max(maxX, x1);
    maxY = Math.max(maxY, y0, y1);
  }
  const per = (size: number) => (size > 0 ? Math.min(MOST_CELLS_PER_DEGREE, SIDE / size) : 0);
  return { minX, minY, maxX, maxY, perX: per(maxX - minX), perY: per(maxY - minY) };
}

/** @returns true when a cell without an edge lies in the polygon. */
export const isCellWithin = (
  area: PreparedArea,
  { minX, minY, perX, perY }: Grid,
  column: number,
  row: number,
): boolean => isWithin(area, minX + (column + 0.5) / perX, minY + (row + 0.5) / perY);
