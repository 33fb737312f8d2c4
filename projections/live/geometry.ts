// Shared area of polygons in image pixels, for any simple polygons with holes, without building the shared polygon.
//
// With the edges of a ring ordered from left to right and signed by the way the ring runs through them, a point is inside
// when the signs of the edges beyond it (greater y) sum to 1. Multiplying that sum for two polygons and integrating gives
//   area(A and B) = sum over edges e of A, f of B of sign(e) sign(f) * integral over their common x of min(e(x), f(x)).
// For an axis-aligned box only its far edge counts, so that costs one step per zone edge.
import type { Rings } from "./state.ts";

/** A polygon made ready: its box, and its edges as x0, y0, x1, y1, sign with x0 < x1; exterior ring positive. */
export interface Shape {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly edges: Float64Array;
}

/** The polygon of the detection at hand. Edges are relative to (minX, minY) and only ready once asked for. */
export interface Probe {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
  rings: Rings;
  ready: boolean;
  area: number;
  edges: Float64Array;
  edgeNumbers: number;
}

/** Boxes that only touch share less than this. px² */
const LEAST_AREA = 1e-9;
const NUMBERS_PER_EDGE = 5;

export const createProbe = (): Probe => ({
  minX: 0,
  minY: 0,
  maxX: 0,
  maxY: 0,
  rings: [],
  ready: false,
  area: 0,
  edges: new Float64Array(64 * NUMBERS_PER_EDGE),
  edgeNumbers: 0,
});

export function prepareShape(rings: Rings): Shape {
  const probe = createProbe();
  loadProbe(probe, rings);
  const edges = new Float64Array(countVertices(rings) * NUMBERS_PER_EDGE);
  const used = writeEdges(rings, 0, 0, edges);
  return { minX: probe.minX, minY: probe.minY, maxX: probe.maxX, maxY: probe.maxY, edges: edges.slice(0, used) };
}

/** Takes the box of the exterior ring; the rest follows when a zone is near. */
export function loadProbe(probe: Probe, rings: Rings): void {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  const ring = rings[0] ?? [];
  for (let i = 1; i < ring.length; i += 2) {
    const x = ring[i - 1] ?? 0;
    const y = ring[i] ?? 0;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  probe.minX = minX;
  probe.minY = minY;
  probe.maxX = maxX;
  probe.maxY = maxY;
  probe.rings = rings;
  probe.ready = false;
}

/**
 * Share of the probe's area inside the shape, 0 to 100; 0 = outside. A probe without area counts by the centre of its
 * box: 0 or 100.
 */
export function insidePercent(shape: Shape, probe: Probe): number {
  if (!probe.ready) finishProbe(probe);
  if (probe.area <= LEAST_AREA) {
    return contains(shape, (probe.minX + probe.maxX) / 2, (probe.minY + probe.maxY) / 2) ? 100 : 0;
  }
  const shared = sharedArea(shape, probe);
  // The sum's own rounding must not look like an overlap when the probe is large and the shape has many edges.
  const noise = probe.area * Number.EPSILON * (shape.edges.length + 8);
  if (shared <= LEAST_AREA || shared <= noise) return 0;
  return shared >= probe.area - noise ? 100 : (100 * shared) / probe.area;
}

/** px² */
export function sharedArea(shape: Shape, probe: Probe): number {
  if (!probe.ready) finishProbe(probe);
  const { edges } = shape;
  const { minX, minY } = probe;
  const width = probe.maxX - minX;
  let sum = 0;
  for (let i = 0; i < edges.length; i += NUMBERS_PER_EDGE) {
    const x0 = (edges[i] ?? 0) - minX;
    const x1 = (edges[i + 2] ?? 0) - minX;
    if (x1 <= 0 || x0 >= width) continue;
    const y0 = (edges[i + 1] ?? 0) - minY;
    const y1 = (edges[i + 3] ?? 0) - minY;
    if (y0 <= 0 && y1 <= 0) continue;
    sum += (edges[i + 4] ?? 0) * areaUnder(x0, y0, x1, y1, probe);
  }
  return sum;
}

/** A point is inside when it lies in the exterior ring and in no hole; a border belongs to one of its two sides. */
export function contains(shape: Shape, x: number, y: number): boolean {
  const { edges } = shape;
  let sum = 0;
  for (let i = 0; i < edges.length; i += NUMBERS_PER_EDGE) {
    const x0 = edges[i] ?? 0;
    const x1 = edges[i + 2] ?? 0;
    if (x < x0 || x >= x1) continue;
    const y0 = edges[i + 1] ?? 0;
    const y1 = edges[i + 3] ?? 0;
    if (y < y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)) sum += edges[i + 4] ?? 0;
  }
  return sum > 0;
}

function finishProbe(probe: Probe): void {
  const room = countVertices(probe.rings) * NUMBERS_PER_EDGE;
  if (probe.edges.length < room) probe.edges = new Float64Array(2 * room);
  probe.edgeNumbers = writeEdges(probe.rings, probe.minX, probe.minY, probe.edges);
  let area = 0;
  const { edges } = probe;
  for (let i = 0; i < probe.edgeNumbers; i += NUMBERS_PER_EDGE) {
    const width = (edges[i + 2] ?? 0) - (edges[i] ?? 0);
    area += ((edges[i + 4] ?? 0) * width * ((edges[i + 1] ?? 0) + (edges[i + 3] ?? 0))) / 2;
  }
  probe.area = area;
  probe.ready = true;
}

/** Writes the edges that are not vertical, relative to the origin; gives the count of numbers written. */
function writeEdges(rings: Rings, originX: number, originY: number, target: Float64Array): number {
  let used = 0;
  for (let r = 0; r < rings.length; r++) {
    const ring = rings[r] ?? [];
    const first = used;
    let area = 0;
    let x0 = (ring[0] ?? 0) - originX;
    let y0 = (ring[1] ?? 0) - originY;
    for (let i = 3; i < ring.length; i += 2) {
      const x1 = (ring[i - 1] ?? 0) - originX;
      const y1 = (ring[i] ?? 0) - originY;
      area += (x1 - x0) * (y0 + y1);
      if (x0 !== x1) {
        const forward = x0 < x1;
        target[used] = forward ? x0 : x1;
        target[used + 1] = forward ? y0 : y1;
        target[used + 2] = forward ? x1 : x0;
        target[used + 3] = forward ? y1 : y0;
        target[used + 4] = forward ? 1 : -1;
        used += NUMBERS_PER_EDGE;
      }
      x0 = x1;
      y0 = y1;
    }
    if (r === 0 ? area < 0 : area > 0) turnRound(target, first, used);
  }
  return used;
}

function turnRound(edges: Float64Array, first: number, end: number): void {
  for (let i = first + 4; i < end; i += NUMBERS_PER_EDGE) edges[i] = -(edges[i] ?? 0);
}

/** Signed area of the probe below the edge (x0, y0)-(x1, y1), both relative to the probe's corner. */
function areaUnder(x0: number, y0: number, x1: number, y1: number, probe: Probe): number {
  const { edges, edgeNumbers } = probe;
  const slope = (y1 - y0) / (x1 - x0);
  let sum = 0;
  for (let i = 0; i < edgeNumbers; i += NUMBERS_PER_EDGE) {
    const a = edges[i] ?? 0;
    const b = edges[i + 2] ?? 0;
    const low = Math.max(a, x0);
    const high = Math.min(b, x1);
    if (low >= high) continue;
    const fa = edges[i + 1] ?? 0;
    const fb = edges[i + 3] ?? 0;
    // The near side of a box: nothing lies below it.
    if (fa === 0 && fb === 0) continue;
    const fSlope = fa === fb ? 0 : (fb - fa) / (b - a);
    // Exact at the ends, so that neighbouring edges meet in the same point.
    const e0 = low === x0 ? y0 : y0 + slope * (low - x0);
    const e1 = high === x1 ? y1 : y0 + slope * (high - x0);
    const f0 = low === a ? fa : fa + fSlope * (low - a);
    const f1 = high === b ? fb : fa + fSlope * (high - a);
    sum += (edges[i + 4] ?? 0) * integrateLower(high - low, e0, e1, f0, f1);
  }
  return sum;
}

/** Integral of max(0, min(e, f)) for two lines over a width, given by their ends; f >= 0. */
function integrateLower(width: number, e0: number, e1: number, f0: number, f1: number): number {
  const d0 = e0 - f0;
  const d1 = e1 - f1;
  if (d0 >= 0 && d1 >= 0) return (width * (f0 + f1)) / 2;
  if (d0 <= 0 && d1 <= 0) return integratePositive(width, e0, e1);
  const t = d0 / (d0 - d1);
  const crossing = f0 + t * (f1 - f0);
  return d0 > 0
    ? (t * width * (f0 + crossing)) / 2 + integratePositive((1 - t) * width, crossing, e1)
    : integratePositive(t * width, e0, crossing) + ((1 - t) * width * (crossing + f1)) / 2;
}

function integratePositive(width: number, e0: number, e1: number): number {
  if (e0 >= 0 && e1 >= 0) return (width * (e0 + e1)) / 2;
  if (e0 <= 0 && e1 <= 0) return 0;
  return e0 > 0 ? (width * e0 * e0) / (2 * (e0 - e1)) : (width * e1 * e1) / (2 * (e1 - e0));
}

function countVertices(rings: Rings): number {
  let vertices = 0;
  for (const ring of rings) vertices += ring.length >> 1;
  return vertices;
}
