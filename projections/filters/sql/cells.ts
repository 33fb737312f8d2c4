// A position is compared with few edges: its cell of the polygon's box knows which. They are looked up in constant lists, because
// the store would copy a list of edges that all rows have in common for each of them.
import { isWithin, prepareArea } from "../../live/area.ts";
import type { Edge, Grid, Here } from "./inside.ts";
import type { Params } from "./sql.ts";

/** In cells. Far more than rounding moves a position, so an edge beyond it needs no arithmetic. */
const MARGIN = 1e-6;
/** Of the lists of all cells; the filter carries them. */
const MOST_ENTRIES = 50_000;
/** Of an edge in a cell, until the lists are given up: edges that lead through much of the box would take them all. */
const MOST_STEPS = 200_000;
/** More than a list can have edges. */
const ON_AN_EDGE = 2 ** 20;
/** Of 32 bits those from ON_AN_EDGE on, and the lowest one. */
const ON_OR_ODD = 2 ** 32 - ON_AN_EDGE + 1;

interface Column {
  /** By row: the edges that lead through the cell. */
  readonly through: Set<number>[];
  /** Edges that begin or end in the column, and the lowest row that they reach. */
  readonly partial: [edge: number, low: number][];
  /** The lowest rows of edges that lead through the column from side to side. */
  readonly spanning: number[];
}

/** By the arithmetic of live/area.ts; undefined = so many edges share cells that the lists would be too long. */
export function byCells(
  params: Params,
  rings: readonly (readonly (readonly [number, number])[])[],
  edges: readonly Edge[],
  grid: Grid,
  { x, y }: Here,
): string | undefined {
  const listed = listsOf(rings, edges, grid);
  if (listed === undefined) return undefined;
  const { side, minX, minY, maxX, maxY, perX, perY } = grid;
  const [left, bottom, right, top] = [minX, minY, maxX, maxY].map((value) => params.bind("Float64", value));
  const place = (value: string, from = "", per = 0) =>
    `least(${side - 1}, toInt32(floor((${value} - ${from}) * ${params.bind("Float64", per)})))`;
  const code = `${params.bindList("UInt32", listed.codes)}[${place(x, left, perX)} * ${side} + ${place(y, bottom, perY)} + 1]`;
  const entries = params.bindList("UInt32", listed.entries);
  const first = `intDiv(${code}, 2)`;
  const edgesOfCell = `arraySlice(${entries}, ${first} + 1, ${entries}[${first}])`;
  const sum = `arraySum(i -> ${sideOf(params, edges, { x, y })}, ${edgesOfCell})`;
  const isInBox = `${x} > ${left} AND ${x} < ${right} AND ${y} > ${bottom} AND ${y} < ${top}`;
  return `(${isInBox} AND multiIf(${code} < 2, ${code}, bitAnd(${sum} + ${code} % 2, ${ON_OR_ODD}) = 1))`;
}

/** ON_AN_EDGE, 1 below the edge number i, else 0. */
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

/**
 * A code for each cell: 0 outside, 1 inside, else twice the place of its list in the entries, plus 1 when an odd number of edges lead
 * past above it from side to side. A list is its length and the numbers of its edges; all places and numbers begin with 1.
 */
function listsOf(
  rings: readonly (readonly (readonly [number, number])[])[],
  edges: readonly Edge[],
  grid: Grid,
): { readonly codes: readonly number[]; readonly entries: readonly number[] } | undefined {
  const columns = columnsOf(edges, grid);
  if (columns === undefined) return undefined;
  const area = prepareArea(rings.map((ring) => ring.flat()));
  let steps = 0;
  const entries: number[] = [];
  const places = new Map<string, number>();
  const codes: number[] = [];
  for (const [column, { through, partial, spanning }] of columns.entries()) {
    for (const [row, own] of through.entries()) {
      if (own.size === 0) {
        const [x, y] = [grid.minX + (column + 0.5) / grid.perX, grid.minY + (row + 0.5) / grid.perY];
        codes.push(Number(isWithin(area, x, y)));
        continue;
      }
      steps += own.size + partial.length;
      if (steps > MOST_STEPS) return undefined;
      for (const [edge, low] of partial) if (low > row) own.add(edge);
      const list = [...own].map((edge) => edge + 1).sort((a, b) => a - b);
      const key = list.join();
      const place = places.get(key) ?? entries.length + 1;
      if (!places.has(key)) entries.push(list.length, ...list);
      if (entries.length > MOST_ENTRIES) return undefined;
      places.set(key, place);
      codes.push(2 * place + (spanning.filter((low) => low > row).length % 2));
    }
  }
  return { codes, entries };
}

function columnsOf(edges: readonly Edge[], { side, minX, minY, perX, perY }: Grid): Column[] | undefined {
  let steps = 0;
  const columns = Array.from({ length: side }, (): Column => {
    return { through: Array.from({ length: side }, () => new Set<number>()), partial: [], spanning: [] };
  });
  const cellOf = (value: number) => Math.min(side - 1, Math.max(0, Math.floor(value)));
  for (const [edge, [fromX, fromY, toX, toY]] of edges.entries()) {
    const [x0, y0, x1, y1] = [(fromX - minX) * perX, (fromY - minY) * perY, (toX - minX) * perX, (toY - minY) * perY];
    const heightAt = (x: number) => y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0);
    for (let i = cellOf(x0 - MARGIN); i <= cellOf(x1 + MARGIN); i++) {
      const { through = [], partial = [], spanning = [] } = columns[i] ?? {};
      const [left, right] = [i - MARGIN, i + 1 + MARGIN];
      const ends = x0 === x1 ? [y0, y1] : [heightAt(left), heightAt(right)];
      const [low, high] = [cellOf(Math.min(...ends) - MARGIN), cellOf(Math.max(...ends) + MARGIN)];
      steps += high - low + 1;
      if (steps > MOST_STEPS) return undefined;
      for (let row = low; row <= high; row++) through[row]?.add(edge);
      if (x0 <= left && x1 >= right) spanning.push(low);
      else partial.push([edge, low]);
    }
  }
  return columns;
}
