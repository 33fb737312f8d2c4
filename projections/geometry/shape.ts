// Computes the area that two polygons share, in image pixels, without building the shared polygon. The polygons may
// have holes, but must not cross themselves. Each edge is stored from left to right, and its sign is the direction in
// which the ring runs through it. A point is inside a polygon when the signs of the edges beyond it (greater y) sum to
// 1. The product of these sums for two polygons A and B, integrated over the plane, is
// area(A and B) = sum over edges e of A, f of B of sign(e) sign(f) * integral over their common x of min(e(x), f(x)).
// Only the far edge of an axis-aligned box counts, so a box costs one step per zone edge. Zone edges beside or below
// the probe's box add nothing. In a large zone an index finds the other edges.
import type Flatbush from "flatbush";
import { countVertices } from "../../schemas/bounds.ts";
import { type Box, boxOfRing } from "./box.ts";
import { indexEdges } from "./edge-index.ts";

/** The rings of a polygon, each as x0, y0, x1, y1, ...; the first one is the outline. */
export type Rings = readonly (readonly number[])[];

/** A prepared polygon: its box, and its edges as x0, y0, x1, y1, sign with x0 < x1; exterior ring positive. */
export interface Shape extends Box {
  readonly edges: Float64Array;
  /** Boxes of the edges. Null when the edges are few enough to test each. */
  readonly tree: Flatbush | null;
}

/**
 * The polygon of the present detection; its edges are prepared only when a zone is near. Edges are x0, x1, y0, y1,
 * slope, half of the sign, relative to (minX, minY), without those on the near side of the box, because nothing lies
 * below them.
 */
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

/** Boxes that only touch share less area than this. px² */
const LEAST_AREA = 1e-9;
const NUMBERS_PER_EDGE = 5;
const NUMBERS_PER_PROBE_EDGE = 6;
/** Keeps 0 / 0 from being NaN, and changes nothing else. */
const TINY = 1e-300;

export const createProbe = (): Probe => ({
  minX: 0,
  minY: 0,
  maxX: 0,
  maxY: 0,
  rings: [],
  ready: false,
  area: 0,
  edges: new Float64Array(64 * NUMBERS_PER_PROBE_EDGE),
  edgeNumbers: 0,
});

export function prepareShape(rings: Rings): Shape {
  const { minX, minY, maxX, maxY } = boxOfRing(rings[0] ?? []);
  const edges = new Float64Array(countVertices(rings) * NUMBERS_PER_EDGE);
  const used = edges.slice(0, writeEdges(rings, 0, 0, edges));
  return { minX, minY, maxX, maxY, edges: used, tree: indexEdges(used, NUMBERS_PER_EDGE) };
}

/**
 * Computes only the box of the exterior ring; finishProbe does the rest when a zone is near. It is called for every
 * detection, so it makes no object for the box.
 */
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
 * Share of the probe's area inside the shape, 0 to 100; 0 means outside. A probe without area counts by the centre of
 * its box: 0 or 100.
 */
export function insidePercent(shape: Shape, probe: Probe): number {
  if (!probe.ready) finishProbe(probe);
  if (probe.area <= LEAST_AREA) {
    return contains(shape, (probe.minX + probe.maxX) / 2, (probe.minY + probe.maxY) / 2) ? 100 : 0;
  }
  const shared = sharedArea(shape, probe);
  // With a large probe and many edges, rounding errors of the sum must not look like an overlap.
  const noise = probe.area * Number.EPSILON * (shape.edges.length + 8);
  if (shared <= LEAST_AREA || shared <= noise) return 0;
  return shared >= probe.area - noise ? 100 : (100 * shared) / probe.area;
}

/** The shared area in px². */
export function sharedArea(shape: Shape, probe: Probe): number {
  if (!probe.ready) finishProbe(probe);
  const { edges, tree } = shape;
  if (cut.length < (edges.length / NUMBERS_PER_EDGE + 1) * NUMBERS_PER_CUT_EDGE) {
    cut = new Float64Array((edges.length / NUMBERS_PER_EDGE + 1) * NUMBERS_PER_CUT_EDGE * 2);
  }
  let used = 0;
  if (tree === null) {
    for (let i = 0; i < edges.length; i += NUMBERS_PER_EDGE) used = cutEdge(edges, i, probe, used);
  } else {
    const near = tree.search(probe.minX, probe.minY, probe.maxX, Number.POSITIVE_INFINITY);
    for (const edge of near) used = cutEdge(edges, edge * NUMBERS_PER_EDGE, probe, used);
  }
  // The last edge of an odd number is paired with an edge of sign 0.
  cut[used + 5] = 0;
  let sum = 0;
  for (let i = 0; i < used; i += 2 * NUMBERS_PER_CUT_EDGE) sum += areaUnderTwo(i, probe);
  return sum;
}

/** A point is inside when it lies in the exterior ring and in no hole; a border belongs to one of its two sides. */
export function contains(shape: Shape, x: number, y: number): boolean {
  const { edges, tree } = shape;
  let sum = 0;
  if (tree === null) {
    for (let i = 0; i < edges.length; i += NUMBERS_PER_EDGE) sum += signAbove(edges, i, x, y);
  } else {
    for (const edge of tree.search(x, y, x, Number.POSITIVE_INFINITY)) {
      sum += signAbove(edges, edge * NUMBERS_PER_EDGE, x, y);
    }
  }
  return sum > 0;
}

function signAbove(edges: Float64Array, i: number, x: number, y: number): number {
  const x0 = edges[i] ?? 0;
  const x1 = edges[i + 2] ?? 0;
  if (x < x0 || x >= x1) return 0;
  const y0 = edges[i + 1] ?? 0;
  const y1 = edges[i + 3] ?? 0;
  return y < y0 + ((y1 - y0) * (x - x0)) / (x1 - x0) ? (edges[i + 4] ?? 0) : 0;
}

// Each thread has its own numbers, which every call reuses.
let plain = new Float64Array(64 * NUMBERS_PER_EDGE);

function finishProbe(probe: Probe): void {
  const vertices = countVertices(probe.rings);
  if (plain.length < vertices * NUMBERS_PER_EDGE) plain = new Float64Array(2 * vertices * NUMBERS_PER_EDGE);
  const end = writeEdges(probe.rings, probe.minX, probe.minY, plain);
  const numbers = vertices * NUMBERS_PER_PROBE_EDGE;
  if (probe.edges.length < numbers) probe.edges = new Float64Array(2 * numbers);
  const { edges } = probe;
  let area = 0;
  let used = 0;
  for (let i = 0; i < end; i += NUMBERS_PER_EDGE) {
    const x0 = plain[i] ?? 0;
    const y0 = plain[i + 1] ?? 0;
    const x1 = plain[i + 2] ?? 0;
    const y1 = plain[i + 3] ?? 0;
    if (y0 === 0 && y1 === 0) continue;
    const halfSign = (plain[i + 4] ?? 0) / 2;
    area += halfSign * (x1 - x0) * (y0 + y1);
    edges[used] = x0;
    edges[used + 1] = x1;
    edges[used + 2] = y0;
    edges[used + 3] = y1;
    edges[used + 4] = (y1 - y0) / (x1 - x0);
    edges[used + 5] = halfSign;
    used += NUMBERS_PER_PROBE_EDGE;
  }
  probe.edgeNumbers = used;
  probe.area = area;
  probe.ready = true;
}

/**
 * Writes the edges that are not vertical, relative to the origin.
 * @returns how many numbers it wrote.
 */
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

// Scratch of this thread: the zone's edges with a part of the probe below them, as x0, y0, x1, y1, slope, sign,
// relative to the probe's corner and cut off below the probe's box.
const NUMBERS_PER_CUT_EDGE = 6;
let cut = new Float64Array(64 * NUMBERS_PER_CUT_EDGE);

/** @returns how many numbers of `cut` are used then. */
function cutEdge(edges: Float64Array, i: number, probe: Probe, used: number): number {
  let x0 = (edges[i] ?? 0) - probe.minX;
  let x1 = (edges[i + 2] ?? 0) - probe.minX;
  if (x1 <= 0 || x0 >= probe.maxX - probe.minX) return used;
  let y0 = (edges[i + 1] ?? 0) - probe.minY;
  let y1 = (edges[i + 3] ?? 0) - probe.minY;
  if (y0 <= 0 && y1 <= 0) return used;
  const slope = (y1 - y0) / (x1 - x0);
  if (y0 < 0) {
    x0 = Math.min(x0 - y0 / slope, x1);
    y0 = 0;
  } else if (y1 < 0) {
    x1 = Math.max(x1 - y1 / slope, x0);
    y1 = 0;
  }
  cut[used] = x0;
  cut[used + 1] = y0;
  cut[used + 2] = x1;
  cut[used + 3] = y1;
  cut[used + 4] = slope;
  cut[used + 5] = edges[i + 4] ?? 0;
  return used + NUMBERS_PER_CUT_EDGE;
}

/**
 * Signed area of the probe below the cut edge at `i` and below the next one. With many edges in both polygons, nearly
 * all time is spent here. It takes two edges at a time, because fetching the probe's edges takes as long as the sums.
 */
function areaUnderTwo(i: number, { edges, edgeNumbers }: Probe): number {
  const x0 = cut[i] ?? 0;
  const y0 = cut[i + 1] ?? 0;
  const x1 = cut[i + 2] ?? 0;
  const y1 = cut[i + 3] ?? 0;
  const slope = cut[i + 4] ?? 0;
  const sign = cut[i + 5] ?? 0;
  const x2 = cut[i + 6] ?? 0;
  const y2 = cut[i + 7] ?? 0;
  const x3 = cut[i + 8] ?? 0;
  const y3 = cut[i + 9] ?? 0;
  const nextSlope = cut[i + 10] ?? 0;
  const nextSign = cut[i + 11] ?? 0;
  let under = 0;
  let underNext = 0;
  for (let at = 0; at < edgeNumbers; at += NUMBERS_PER_PROBE_EDGE) {
    const a = edges[at] ?? 0;
    const b = edges[at + 1] ?? 0;
    const f0 = edges[at + 2] ?? 0;
    const f1 = edges[at + 3] ?? 0;
    const fSlope = edges[at + 4] ?? 0;
    const halfSign = edges[at + 5] ?? 0;
    if (b > x0 && a < x1) under += halfSign * twiceLower(x0, y0, x1, y1, slope, a, b, f0, f1, fSlope);
    if (b > x2 && a < x3) underNext += halfSign * twiceLower(x2, y2, x3, y3, nextSlope, a, b, f0, f1, fSlope);
  }
  return sign * under + nextSign * underNext;
}

/**
 * Twice the integral of min(e, f) over the common stretch of two edges, without a branch for their crossing: with d = e
 * - f at both ends of the stretch and n the sum of those that are negative, the integral of min(d, 0) is
 * -width / 2 * n² / (|d0| + |d1|).
 */
function twiceLower(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  slope: number,
  a: number,
  b: number,
  fa: number,
  fb: number,
  fSlope: number,
): number {
  let f0 = fa;
  let f1 = fb;
  let d0: number;
  let d1: number;
  let width: number;
  // Exact at the ends, so that neighbouring edges meet in the same point.
  if (a < x0) {
    f0 += fSlope * (x0 - a);
    d0 = y0 - f0;
    width = -x0;
  } else {
    d0 = y0 + slope * (a - x0) - f0;
    width = -a;
  }
  if (b > x1) {
    f1 += fSlope * (x1 - b);
    d1 = y1 - f1;
    width += x1;
  } else {
    d1 = y1 + slope * (b - x1) - f1;
    width += b;
  }
  const absolute = Math.abs(d0) + Math.abs(d1);
  const twiceNegative = d0 + d1 - absolute;
  return width * (f0 + f1 - (twiceNegative * twiceNegative) / (4 * absolute + TINY));
}
