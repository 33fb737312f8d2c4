// Pieces of polygons with too many edges per cell. Most positions lie in a cell without an edge; the others are
// compared with the edges of their strip of the box.
import { prepareArea } from "../../geometry/area.ts";
import { type Edge, type Grid, type GridRings, isCellWithin, SIDE } from "./grid.ts";

/** Difference between the numbers of cells in neighbouring columns. */
export const STRIDE = 2 * SIDE;
/**
 * The maximum number of edges of a strip. The limit is low because ClickHouse copies them for every row that it
 * compares with them.
 */
const EDGES_PER_STRIP = 256;
const MOST_STRIPS = 64;
/** The maximum number of strips that may list an edge, on average. */
const MOST_TIMES = 2;

export interface Strips {
  /** Cells in the polygon through which no edge leads. */
  readonly within: readonly number[];
  /** The cells through which the edges lead, and those beside them. */
  readonly near: readonly number[];
  /** The edges of each strip, in the order of the strips. */
  readonly strips: readonly (readonly Edge[])[];
}

export function stripsOf(rings: GridRings, edges: readonly Edge[], grid: Grid): Strips {
  const isNear = cellsNear(edges, grid);
  return { ...cellsOf(rings, isNear, grid), strips: listStrips(edges, grid) };
}

/**
 * Lists the edges of each strip. An edge that leads through several strips is listed in each. When there would be too
 * many entries, there are fewer strips.
 */
function listStrips(edges: readonly Edge[], { minX, perX }: Grid): Edge[][] {
  let count = Math.min(MOST_STRIPS, Math.ceil(edges.length / EDGES_PER_STRIP));
  // One more column on either side is included, because rounding may move a position by one.
  const first = ([x0]: Edge) => Math.max(0, Math.ceil(((x0 - minX) * perX - 1) / (SIDE / count) - 1));
  const last = ([, , x1]: Edge) => Math.min(count - 1, Math.floor(((x1 - minX) * perX + 1) / (SIDE / count)));
  while (count > 1 && edges.reduce((sum, edge) => sum + last(edge) - first(edge) + 1, 0) > MOST_TIMES * edges.length) {
    count = Math.floor(count / 2);
  }
  const strips = Array.from({ length: count }, (): Edge[] => []);
  for (const edge of edges) for (let i = first(edge); i <= last(edge); i++) strips[i]?.push(edge);
  return strips;
}

/** The box begins in the second column, and in its second row. */
const placeOf = (column: number, row: number): number => (column + 1) * STRIDE + row + 1;

/** Cells beside those of the edges are included, because rounding may move a position into one of them. */
function cellsNear(edges: readonly Edge[], { minX, minY, perX, perY }: Grid): Uint8Array {
  const isNear = new Uint8Array(placeOf(SIDE + 2, 0));
  for (const [fromX, fromY, toX, toY] of edges) {
    const [x0, y0, x1, y1] = [(fromX - minX) * perX, (fromY - minY) * perY, (toX - minX) * perX, (toY - minY) * perY];
    const heightAt = (x: number) => y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0);
    for (let column = Math.floor(x0) - 1; column <= Math.floor(x1) + 1; column++) {
      const left = x0 === x1 ? y0 : heightAt(column - 1);
      const right = x0 === x1 ? y1 : heightAt(column + 2);
      const last = placeOf(column, Math.floor(Math.max(left, right)) + 1);
      for (let place = placeOf(column, Math.floor(Math.min(left, right)) - 1); place <= last; place++)
        isNear[place] = 1;
    }
  }
  return isNear;
}

function cellsOf(rings: GridRings, isNear: Uint8Array, grid: Grid): Pick<Strips, "within" | "near"> {
  const area = prepareArea(rings.map((ring) => ring.flat()));
  const [within, near]: [number[], number[]] = [[], []];
  for (let column = -1; column <= SIDE + 1; column++) {
    // Neighbouring cells without an edge are either all in the polygon or all outside.
    let isWithin: boolean | undefined;
    for (let row = -1; row <= SIDE + 1; row++) {
      const isFree = isNear[placeOf(column, row)] === 0;
      if (isFree) isWithin ??= isCellWithin(area, grid, column, row);
      else isWithin = undefined;
      if (!isFree) near.push(column * STRIDE + row);
      else if (isWithin === true) within.push(column * STRIDE + row);
    }
  }
  return { within, near };
}
