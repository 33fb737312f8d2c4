// Shared area of two polygons by horizontal slabs: between two neighbouring heights at which an edge begins, ends or
// crosses another, all edges are straight and in a fixed order, so the shared width changes evenly over the slab and
// its value half-way up, times the slab's height, is the exact area. Works for concave polygons, holes and touching
// edges.

/** GeoJSON polygon coordinates: rings, closed; a point inside an odd number of rings is inside. */
export type Rings = readonly (readonly (readonly number[])[])[];

interface Edge {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** px² */
export function sharedArea(a: Rings, b: Rings): number {
  const edgesA = slopingEdges(a);
  const edgesB = slopingEdges(b);
  const heights = [...new Set([...edgesA, ...edgesB].flatMap((edge) => [edge.y0, edge.y1]))];
  for (const edgeA of edgesA) {
    for (const edgeB of edgesB) {
      const y = crossingHeight(edgeA, edgeB);
      if (y !== undefined) heights.push(y);
    }
  }
  heights.sort((p, q) => p - q);

  let area = 0;
  let below: number | undefined;
  for (const y of heights) {
    if (below !== undefined && y > below) {
      const middle = below + (y - below) / 2;
      area += (y - below) * sharedWidth(spans(edgesA, middle), spans(edgesB, middle));
    }
    below = y;
  }
  return area;
}

/** True when the point is inside; on the boundary either answer is possible. */
export function contains(rings: Rings, x: number, y: number): boolean {
  return spans(slopingEdges(rings), y).some(([left, right]) => left <= x && x <= right);
}

/** Horizontal edges bound no slab from the side; each edge goes upwards in y. */
function slopingEdges(rings: Rings): Edge[] {
  const edges: Edge[] = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x0 = 0, y0 = 0] = ring[i - 1] ?? [];
      const [x1 = 0, y1 = 0] = ring[i] ?? [];
      if (y0 < y1) edges.push({ x0, y0, x1, y1 });
      else if (y1 < y0) edges.push({ x0: x1, y0: y1, x1: x0, y1: y0 });
    }
  }
  return edges;
}

const xAt = ({ x0, y0, x1, y1 }: Edge, y: number): number => (x0 === x1 ? x0 : x0 + ((x1 - x0) * (y - y0)) / (y1 - y0));

/** The height at which two edges change places, if they do. */
function crossingHeight(a: Edge, b: Edge): number | undefined {
  const from = Math.max(a.y0, b.y0);
  const to = Math.min(a.y1, b.y1);
  if (from >= to) return undefined;
  const apartFrom = xAt(a, from) - xAt(b, from);
  const apartTo = xAt(a, to) - xAt(b, to);
  if (apartFrom * apartTo >= 0) return undefined;
  return from + ((to - from) * apartFrom) / (apartFrom - apartTo);
}

type Span = readonly [left: number, right: number];

/** The stretches of the horizontal line at `y` that lie inside. */
function spans(edges: readonly Edge[], y: number): Span[] {
  const crossed = edges.filter((edge) => edge.y0 <= y && y < edge.y1).map((edge) => xAt(edge, y));
  crossed.sort((p, q) => p - q);
  const inside: Span[] = [];
  for (let i = 1; i < crossed.length; i += 2) inside.push([crossed[i - 1] ?? 0, crossed[i] ?? 0]);
  return inside;
}

function sharedWidth(a: readonly Span[], b: readonly Span[]): number {
  let width = 0;
  for (const [leftA, rightA] of a) {
    for (const [leftB, rightB] of b) width += Math.max(0, Math.min(rightA, rightB) - Math.max(leftA, leftB));
  }
  return width;
}
