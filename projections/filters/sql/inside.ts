// Whether a position lies in a polygon, in SQL, by the arithmetic of live/area.ts, so that both sides agree to the last bit. The
// store's own pointInPolygon decides about a border in one way or the other, and errs beside some corners (26.7, polygons with holes).
import { isWithin, prepareArea } from "../../live/area.ts";
import { byCells } from "./cells.ts";
import type { Params } from "./sql.ts";

type Point = readonly [number, number];
/** The left end first, the lower one of a vertical edge: x0, y0, x1, y1. */
export type Edge = readonly [number, number, number, number];

/** Two expressions that are numbers. */
export interface Here {
  readonly x: string;
  readonly y: string;
}

/** With fewer edges, comparing a position with each is as quick as looking for its cell. */
const FEW_EDGES = 16;
/** Cells of the polygon's box, in each direction. */
const SIDE = 64;
/** The number of a position's cell must fit into an Int64, however small the polygon is and however far the position. */
const MOST_CELLS_PER_DEGREE = 1e7;
/** Between the numbers of two columns of cells. */
const STRIDE = 2 * SIDE;
/** The store copies the edges of a strip for every row that it compares with them. */
const EDGES_PER_STRIP = 256;
const MOST_STRIPS = 64;
/** How often an edge may be listed, on average. */
const MOST_TIMES = 2;
const EDGE = "Tuple(Float64, Float64, Float64, Float64)";

/** The rings are closed, do not meet, and all but the first are holes. */
export function inside(params: Params, rings: readonly (readonly Point[])[], { x, y }: Here): string {
  const edges = rings.flatMap((ring) => ring.slice(1).map((to, i): Edge => edgeOf(ring[i] ?? to, to)));
  if (edges.length < FEW_EDGES) return exactly(x, y, params.bindTuples(EDGE, edges));
  const grid = gridOf(edges);
  const few = byCells(params, rings, edges, grid, { x, y });
  if (few !== undefined) return few;
  const column = `floor((${x} - ${params.bind("Float64", grid.minX)}) * ${params.bind("Float64", grid.perX)})`;
  const height = `floor((${y} - ${params.bind("Float64", grid.minY)}) * ${params.bind("Float64", grid.perY)})`;
  // Far above or below the box, a row would have the number of a cell in another column.
  const row = `greatest(-2, least(${SIDE + 2}, ${height}))`;
  const cells = cellsOf(edges, grid);
  const cell = `toInt64(${column} * ${STRIDE} + ${row})`;
  const within = `${cell} IN ${params.bindList("Int64", cellsWithin(rings, cells, grid))}`;
  const near = `${cell} IN ${params.bindList("Int64", [...cells])}`;
  const strips = stripsOf(edges, grid);
  const tests = strips.map((some) => exactly(x, y, params.bindTuples(EDGE, some)));
  const branches = tests.map((own, i) => `${column} < ${((i + 1) * grid.side) / tests.length}, ${own}`);
  const isExactly = tests.length === 1 ? tests.join() : `multiIf(${branches.join(", ")}, 0)`;
  return `(${within} OR (${near} AND ${isExactly}))`;
}

/** The edges of each strip, side by side. Edges that lead through many strips would be listed in each: then there are fewer. */
function stripsOf(edges: readonly Edge[], grid: Grid): Edge[][] {
  const columnOf = (value: number) => (value - grid.minX) * grid.perX;
  let count = Math.min(MOST_STRIPS, Math.ceil(edges.length / EDGES_PER_STRIP));
  while (true) {
    const width = grid.side / count;
    const strips = Array.from({ length: count }, (_, i) => {
      // One column more on either side: rounding may move a position by one.
      const [from, to] = [i * width - 1, (i + 1) * width + 1];
      return edges.filter(([x0, , x1]) => columnOf(x1) >= from && columnOf(x0) <= to);
    });
    const listed = strips.reduce((sum, { length }) => sum + length, 0);
    if (count === 1 || listed <= MOST_TIMES * edges.length) return strips;
    count = Math.floor(count / 2);
  }
}

/** As live/area.ts has it, because the direction makes a difference to rounding. */
function edgeOf(from: Point, to: Point): Edge {
  const isForward = from[0] < to[0] || (from[0] === to[0] && from[1] <= to[1]);
  return isForward ? [...from, ...to] : [...to, ...from];
}

/** On no edge, and below an odd number of them. Of two edges that meet at this longitude, one counts. */
function exactly(x: string, y: string, edges: string): string {
  const [rise, run] = [`(e.4 - e.2) * (${x} - e.1)`, `(e.3 - e.1) * (${y} - e.2)`];
  const touches = `if(e.1 = e.3, ${y} >= e.2 AND ${y} <= e.4, ${rise} = ${run})`;
  const isOn = `${x} >= e.1 AND ${x} <= e.3 AND ${touches}`;
  const isBelow = `${x} >= e.1 AND ${x} < e.3 AND ${rise} > ${run}`;
  return `(arrayCount(e -> ${isBelow}, ${edges}) % 2 = 1 AND NOT arrayExists(e -> ${isOn}, ${edges}))`;
}

export interface Grid {
  /** Cells in each direction. */
  readonly side: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** Cells per degree. */
  readonly perX: number;
  readonly perY: number;
}

function gridOf(edges: readonly Edge[]): Grid {
  let [minX, minY] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [maxX, maxY] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x0, y0, x1, y1] of edges) {
    minX = Math.min(minX, x0);
    minY = Math.min(minY, y0, y1);
    maxX = Math.max(maxX, x1);
    maxY = Math.max(maxY, y0, y1);
  }
  const per = (size: number) => (size > 0 ? Math.min(MOST_CELLS_PER_DEGREE, SIDE / size) : 0);
  return { side: SIDE, minX, minY, maxX, maxY, perX: per(maxX - minX), perY: per(maxY - minY) };
}

/** The cells through which the edges lead, and those beside them: rounding may move a position into one of these. */
function cellsOf(edges: readonly Edge[], { minX, minY, perX, perY }: Grid): Set<number> {
  const cells = new Set<number>();
  for (const [fromX, fromY, toX, toY] of edges) {
    const [x0, y0, x1, y1] = [(fromX - minX) * perX, (fromY - minY) * perY, (toX - minX) * perX, (toY - minY) * perY];
    const heightAt = (x: number) => y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0);
    for (let column = Math.floor(x0) - 1; column <= Math.floor(x1) + 1; column++) {
      const ends = x0 === x1 ? [y0, y1] : [heightAt(column - 1), heightAt(column + 2)];
      const [low, high] = [Math.floor(Math.min(...ends)) - 1, Math.floor(Math.max(...ends)) + 1];
      for (let row = low; row <= high; row++) cells.add(column * STRIDE + row);
    }
  }
  return cells;
}

/** A cell without an edge lies in the polygon as a whole, or not at all. */
function cellsWithin(rings: readonly (readonly Point[])[], near: ReadonlySet<number>, grid: Grid): number[] {
  const { side, minX, minY, perX, perY } = grid;
  const area = prepareArea(rings.map((ring) => ring.flat()));
  const cells: number[] = [];
  for (let column = 0; column < side; column++) {
    for (let row = 0; row < side; row++) {
      const cell = column * STRIDE + row;
      if (!near.has(cell) && isWithin(area, minX + (column + 0.5) / perX, minY + (row + 0.5) / perY)) cells.push(cell);
    }
  }
  return cells;
}
