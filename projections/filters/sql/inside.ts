// Tests in SQL whether a position lies in a polygon. It uses the arithmetic of geometry/area.ts, so that tests in
// memory and in SQL agree to the last bit. ClickHouse's own pointInPolygon treats borders inconsistently, and is wrong
// beside some corners (version 26.7, polygons with holes).
import { type Cells, cellsOf } from "./cells.ts";
import { type Edge, edgesOf, type Grid, type GridRings, gridOf, SIDE } from "./grid.ts";
import type { Params } from "./sql.ts";
import { STRIDE, type Strips, stripsOf } from "./strips.ts";

/** The coordinates of a position as SQL expressions. */
export interface Here {
  readonly x: string;
  readonly y: string;
}

/** A polygon in pieces with which a query compares positions. Making them takes up to about 30 ms. */
export type PolygonPieces =
  | { readonly edges: readonly Edge[] }
  | { readonly edges: readonly Edge[]; readonly grid: Grid; readonly cells: Cells }
  | { readonly edges: readonly Edge[]; readonly grid: Grid; readonly strips: Strips };

/** With fewer edges, comparing a position with each is as fast as finding its cell. */
const FEW_EDGES = 16;
const EDGE = "Tuple(Float64, Float64, Float64, Float64)";

/** The rings must be closed and must not meet. All but the first are holes. */
export function shapeOf(rings: GridRings): PolygonPieces {
  const edges = edgesOf(rings);
  if (edges.length < FEW_EDGES) return { edges };
  const grid = gridOf(edges);
  const cells = cellsOf(rings, edges, grid);
  return cells === undefined ? { edges, grid, strips: stripsOf(rings, edges, grid) } : { edges, grid, cells };
}

export function inside(params: Params, shape: PolygonPieces, here: Here): string {
  if ("cells" in shape) return byCells(params, shape, here);
  if ("strips" in shape) return byStrips(params, shape, here);
  return exactly(here, params.bindTuples(EDGE, shape.edges));
}

/** A number larger than that of the edges in any list. */
const ON_AN_EDGE = 2 ** 20;
/** A mask of 32 bits: those from ON_AN_EDGE on, and the lowest one. */
const ON_OR_ODD = 2 ** 32 - ON_AN_EDGE + 1;

/**
 * Binds each coordinate of the edges as a constant list of its own, and looks edges up by their numbers. ClickHouse
 * would copy a single list of edges for every row.
 */
function byCells(
  params: Params,
  { edges, grid, cells }: Extract<PolygonPieces, { cells: Cells }>,
  { x, y }: Here,
): string {
  const { minX, minY, maxX, maxY, perX, perY } = grid;
  const [left, bottom, right, top] = [minX, minY, maxX, maxY].map((value) => params.bind("Float64", value));
  const place = (value: string, from = "", per = 0) =>
    `least(${SIDE - 1}, toInt32(floor((${value} - ${from}) * ${params.bind("Float64", per)})))`;
  const code = `${params.bindList("UInt32", cells.codes)}[${place(x, left, perX)} * ${SIDE} + ${place(y, bottom, perY)} + 1]`;
  const entries = params.bindList("UInt32", cells.entries);
  const first = `intDiv(${code}, 2)`;
  const edgesOfCell = `arraySlice(${entries}, ${first} + 1, ${entries}[${first}])`;
  const sum = `arraySum(i -> ${sideOf(params, edges, { x, y })}, ${edgesOfCell})`;
  const isInBox = `${x} > ${left} AND ${x} < ${right} AND ${y} > ${bottom} AND ${y} < ${top}`;
  return `(${isInBox} AND multiIf(${code} < 2, ${code}, bitAnd(${sum} + ${code} % 2, ${ON_OR_ODD}) = 1))`;
}

/** @returns SQL that is ON_AN_EDGE when the position is on edge number i, 1 when it is below that edge, else 0. */
function sideOf(params: Params, edges: readonly Edge[], { x, y }: Here): string {
  const end = (at: 0 | 1 | 2 | 3) =>
    `${params.bindList(
      "Float64",
      edges.map((edge) => edge[at]),
    )}[i]`;
  const [x0, y0, x1, y1] = [end(0), end(1), end(2), end(3)];
  const [rise, run] = [`(${y1} - ${y0}) * (${x} - ${x0})`, `(${x1} - ${x0}) * (${y} - ${y0})`];
  return `multiIf(${x} < ${x0} OR ${x} > ${x1}, 0, ${x0} = ${x1}, (${y} >= ${y0} AND ${y} <= ${y1}) * ${ON_AN_EDGE},
    ${rise} = ${run}, ${ON_AN_EDGE}, ${rise} > ${run} AND ${x} < ${x1})`;
}

function byStrips(
  params: Params,
  { grid, strips: { within, near, strips } }: Extract<PolygonPieces, { strips: Strips }>,
  here: Here,
) {
  const column = `floor((${here.x} - ${params.bind("Float64", grid.minX)}) * ${params.bind("Float64", grid.perX)})`;
  const height = `floor((${here.y} - ${params.bind("Float64", grid.minY)}) * ${params.bind("Float64", grid.perY)})`;
  // Without this bound, a row far above or below the box would have the number of a cell in another column.
  const row = `greatest(-2, least(${SIDE + 2}, ${height}))`;
  const cell = `toInt64(${column} * ${STRIDE} + ${row})`;
  const isWithin = `${cell} IN ${params.bindList("Int64", within)}`;
  const isNear = `${cell} IN ${params.bindList("Int64", near)}`;
  const tests = strips.map((some) => exactly(here, params.bindTuples(EDGE, some)));
  const branches = tests.map((own, i) => `${column} < ${((i + 1) * SIDE) / tests.length}, ${own}`);
  const isExactly = tests.length === 1 ? tests.join() : `multiIf(${branches.join(", ")}, 0)`;
  return `(${isWithin} OR (${isNear} AND ${isExactly}))`;
}

/**
 * A position is inside when it is on no edge, and below an odd number of them. Of two edges that meet at its longitude,
 * one counts.
 */
function exactly({ x, y }: Here, edges: string): string {
  const [rise, run] = [`(e.4 - e.2) * (${x} - e.1)`, `(e.3 - e.1) * (${y} - e.2)`];
  const touches = `if(e.1 = e.3, ${y} >= e.2 AND ${y} <= e.4, ${rise} = ${run})`;
  const isOn = `${x} >= e.1 AND ${x} <= e.3 AND ${touches}`;
  const isBelow = `${x} >= e.1 AND ${x} < e.3 AND ${rise} > ${run}`;
  return `(arrayCount(e -> ${isBelow}, ${edges}) % 2 = 1 AND NOT arrayExists(e -> ${isOn}, ${edges}))`;
}
