// The edges that lead through each cell of a polygon's box, as lists of numbers.
import { prepareArea } from "../../geometry/area.ts";
import { type Edge, type Grid, type GridRings, isCellWithin, SIDE } from "./grid.ts";

/**
 * A fraction of a cell, and far more than the distance by which rounding moves a position. An edge farther away than
 * this needs no arithmetic.
 */
const MARGIN = 1e-6;
/**
 * The maximum number of entries in the lists of all cells. The lists are part of the query's text, so they are bounded.
 */
const MOST_ENTRIES = 50_000;
/**
 * The maximum number of steps, where a step is one edge in one cell. Beyond it no lists are made: edges that lead
 * through much of the box would need too many.
 */
const MOST_STEPS = 200_000;

export interface Cells {
  readonly codes: readonly number[];
  readonly entries: readonly number[];
}

interface Column {
  /** Each row lists the edges that lead through its cell, in their order. */
  readonly through: number[][];
  /** Edges that begin or end in the column, and the lowest row that they reach. */
  readonly partial: [edge: number, low: number][];
  /** Number of edges that lead through the column from side to side, by the lowest row that they reach. */
  readonly spanning: number[];
}

/**
 * A code for each cell: 0 outside, 1 inside, else twice the place of its list in the entries, plus 1 when an odd number
 * of edges leads past above it from side to side. A list is its length and the numbers of its edges. All places and
 * numbers begin with 1.
 * @returns undefined when so many edges share cells that the lists would be too long.
 */
export function cellsOf(rings: GridRings, edges: readonly Edge[], grid: Grid): Cells | undefined {
  const columns = columnsOf(edges, grid);
  if (columns === undefined) return undefined;
  const area = prepareArea(rings.map((ring) => ring.flat()));
  let steps = 0;
  const entries: number[] = [];
  const places = new Map<string, number>();
  const codes: number[] = [];
  for (const [column, { through, partial, spanning }] of columns.entries()) {
    // Neighbouring cells without an edge are either all in the polygon or all outside.
    let isWithin: boolean | undefined;
    let above = spanning.reduce((sum, count) => sum + count, 0);
    for (const [row, own] of through.entries()) {
      above -= spanning[row] ?? 0;
      if (own.length === 0) {
        isWithin ??= isCellWithin(area, grid, column, row);
        codes.push(Number(isWithin));
        continue;
      }
      isWithin = undefined;
      steps += own.length + partial.length;
      if (steps > MOST_STEPS) return undefined;
      const list = withHigher(own, partial, row);
      const key = list.join();
      const place = places.get(key) ?? entries.length + 1;
      if (!places.has(key)) {
        entries.push(list.length);
        for (const edge of list) entries.push(edge + 1);
      }
      if (entries.length > MOST_ENTRIES) return undefined;
      places.set(key, place);
      codes.push(2 * place + (above % 2));
    }
  }
  return { codes, entries };
}

/**
 * The edges of a cell, and those that begin or end in its column above it. Both lists are in order, and so is the
 * result.
 */
function withHigher(own: readonly number[], partial: Column["partial"], row: number): number[] {
  const list: number[] = [];
  let at = 0;
  for (const [edge, low] of partial) {
    if (low <= row) continue;
    for (let next = own[at]; next !== undefined && next <= edge; next = own[++at]) if (next < edge) list.push(next);
    list.push(edge);
  }
  while (at < own.length) list.push(own[at++] ?? 0);
  return list;
}

/** A lower bound of the steps: the cells through which the edges lead, counted for each edge. */
function leastSteps(edges: readonly Edge[], { perX, perY }: Grid): number {
  let steps = 0;
  for (const [x0, y0, x1, y1] of edges) steps += Math.max((x1 - x0) * perX, Math.abs(y1 - y0) * perY);
  return steps;
}

function columnsOf(edges: readonly Edge[], grid: Grid): Column[] | undefined {
  if (leastSteps(edges, grid) > MOST_STEPS) return undefined;
  const { minX, minY, perX, perY } = grid;
  let steps = 0;
  const columns = Array.from({ length: SIDE }, (): Column => {
    return { through: Array.from({ length: SIDE }, () => []), partial: [], spanning: Array(SIDE).fill(0) };
  });
  const cellOf = (value: number) => Math.min(SIDE - 1, Math.max(0, Math.floor(value)));
  for (const [edge, [fromX, fromY, toX, toY]] of edges.entries()) {
    const [x0, y0, x1, y1] = [(fromX - minX) * perX, (fromY - minY) * perY, (toX - minX) * perX, (toY - minY) * perY];
    const heightAt = (x: number) => y0 + ((y1 - y0) * (Math.min(Math.max(x, x0), x1) - x0)) / (x1 - x0);
    for (let i = cellOf(x0 - MARGIN); i <= cellOf(x1 + MARGIN); i++) {
      const { through = [], partial = [], spanning = [] } = columns[i] ?? {};
      const [left, right] = [i - MARGIN, i + 1 + MARGIN];
      const [from, to] = x0 === x1 ? [y0, y1] : [heightAt(left), heightAt(right)];
      const [low, high] = [cellOf(Math.min(from, to) - MARGIN), cellOf(Math.max(from, to) + MARGIN)];
      steps += high - low + 1;
      if (steps > MOST_STEPS) return undefined;
      for (let row = low; row <= high; row++) through[row]?.push(edge);
      if (x0 <= left && x1 >= right) spanning[low] = (spanning[low] ?? 0) + 1;
      else partial.push([edge, low]);
    }
  }
  return columns;
}
