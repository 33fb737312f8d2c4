// Finds out whether a polygon meets itself, and whether its holes are in it. A line sweeps over the vertices from left
// to right and keeps the edges that it crosses in order from bottom to top. Edges that meet are neighbours in that
// order before they meet, so comparing neighbours is enough, and the first meeting ends the search: Shamos and Hoey, in
// O(n log n) comparisons. Exact arithmetic decides the order of edges: rounding could swap two of them, and then
// everything after that would be wrong.
import { orient2d } from "robust-predicates";
import { at, createOutline, isLeft, leftEnd, type Outline, type Ring, rightEnd } from "./outline.ts";

/**
 * "meets": two edges share more than the vertex at which one follows the other, so rings cross, touch or run back over
 * each other or themselves. "nested": a hole lies outside the first ring, or within another hole. A point repeated in
 * a row counts once.
 */
export function flawOfOutline(rings: readonly Ring[]): "meets" | "nested" | undefined {
  const outline = createOutline(rings);
  const status = createStatus(outline);
  const begun = new Set<number>();
  let areHolesInside = true;
  for (const vertex of sweepOrder(outline)) {
    const ring = at(outline.rings, vertex);
    if (!begun.has(ring)) {
      begun.add(ring);
      // At the first vertex of a hole, the first ring is open and no other hole is, so an odd number of edges is below.
      if (edgesBelow(outline, status, vertex) % 2 !== Math.min(ring, 1)) areHolesInside = false;
    }
    if (pass(outline, status, vertex)) return "meets";
  }
  return areHolesInside ? undefined : "nested";
}

/**
 * Sorts the vertices. Among vertices at the same place, those where edges begin come first: they must meet the edges
 * that end there.
 */
function sweepOrder(outline: Outline): Int32Array {
  const { xs, ys } = outline;
  return Int32Array.from(xs, (_, vertex) => vertex).sort(
    (a, b) => at(xs, a) - at(xs, b) || at(ys, a) - at(ys, b) || endsAt(outline, a) - endsAt(outline, b),
  );
}

/** Number of the two edges of a vertex that end there, in the direction of the sweep. */
function endsAt(outline: Outline, vertex: number): number {
  const { before, next } = outline;
  return Number(isLeft(outline, at(before, vertex), vertex)) + Number(isLeft(outline, at(next, vertex), vertex));
}

/** The edges under the line, from bottom to top. */
interface Status {
  readonly edges: Int32Array;
  size: number;
}

const createStatus = ({ xs }: Outline): Status => ({ edges: new Int32Array(xs.length), size: 0 });

/**
 * Moves the line over a vertex.
 * @returns true when edges meet.
 */
function pass(outline: Outline, status: Status, vertex: number): boolean {
  const incoming = at(outline.before, vertex);
  const outgoing = vertex;
  const ends = endsAt(outline, vertex);
  if (ends === 0) return begin(outline, status, incoming, vertex) || begin(outline, status, outgoing, vertex);
  if (ends === 2) return end(outline, status, incoming, vertex) || end(outline, status, outgoing, vertex);
  const goesOn = isLeft(outline, at(outline.before, vertex), vertex);
  return goOn(outline, status, goesOn ? incoming : outgoing, goesOn ? outgoing : incoming, vertex);
}

function begin(outline: Outline, status: Status, edge: number, vertex: number): boolean {
  let low = 0;
  let high = status.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = at(status.edges, middle);
    let side = sideOf(outline, other, vertex);
    // The vertex is on the other edge: allowed only if both edges begin there. Then their other ends decide.
    if (side === 0) {
      if (!isEdgeOf(outline, other, vertex)) return true;
      side = sideOf(outline, other, rightEnd(outline, edge));
      if (side === 0) return true;
    }
    if (side > 0) low = middle + 1;
    else high = middle;
  }
  status.edges.copyWithin(low + 1, low, status.size);
  status.edges[low] = edge;
  status.size++;
  return touchesAdjacent(outline, status, low);
}

function goOn(outline: Outline, status: Status, ending: number, beginning: number, vertex: number): boolean {
  const place = placeOf(outline, status, ending, vertex);
  if (place < 0) return true;
  status.edges[place] = beginning;
  return touchesAdjacent(outline, status, place);
}

function end(outline: Outline, status: Status, edge: number, vertex: number): boolean {
  const place = placeOf(outline, status, edge, vertex);
  if (place < 0) return true;
  status.edges.copyWithin(place, place + 1, status.size);
  status.size--;
  return edgesTouch(outline, status, place - 1, place);
}

/**
 * The place of an edge that ends at the vertex.
 * @returns -1 when the edge is not where it must be, so a meeting has broken the order.
 */
function placeOf(outline: Outline, status: Status, edge: number, vertex: number): number {
  const low = edgesBelow(outline, status, vertex);
  // One neighbour may end in the same place.
  for (let place = low; place < Math.min(low + 2, status.size); place++) {
    if (at(status.edges, place) === edge) return place;
  }
  return -1;
}

function edgesBelow(outline: Outline, status: Status, vertex: number): number {
  let low = 0;
  let high = status.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sideOf(outline, at(status.edges, middle), vertex) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const touchesAdjacent = (outline: Outline, status: Status, place: number): boolean =>
  edgesTouch(outline, status, place - 1, place) || edgesTouch(outline, status, place, place + 1);

function edgesTouch(outline: Outline, { edges, size }: Status, low: number, high: number): boolean {
  if (low < 0 || high >= size) return false;
  const a = at(edges, low);
  const b = at(edges, high);
  if (areNeighbours(outline, a, b)) return false;
  // Both are under the line and in their right order to its left: they meet when either right end is on the wrong side.
  const aRight = rightEnd(outline, a);
  const bRight = rightEnd(outline, b);
  return isLeft(outline, aRight, bRight) ? sideOf(outline, b, aRight) >= 0 : sideOf(outline, a, bRight) <= 0;
}

const isEdgeOf = ({ before }: Outline, edge: number, vertex: number): boolean =>
  edge === vertex || edge === at(before, vertex);

const areNeighbours = ({ next }: Outline, a: number, b: number): boolean => at(next, a) === b || at(next, b) === a;

/** The result is positive when the vertex is above the edge, 0 when it is on the edge's line. */
function sideOf(outline: Outline, edge: number, vertex: number): number {
  const { xs, ys } = outline;
  const left = leftEnd(outline, edge);
  const right = rightEnd(outline, edge);
  // The sign of orient2d is positive for clockwise points.
  return -orient2d(at(xs, left), at(ys, left), at(xs, right), at(ys, right), at(xs, vertex), at(ys, vertex));
}
