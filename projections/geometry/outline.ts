// The vertices and edges of a polygon's rings, for a line that sweeps from left to right.

/** Coordinates, flat and closed: x0, y0, x1, y1, ..., x0, y0. */
export type Ring = readonly number[];

/** The vertices of all rings. Edge number i leads from vertex i to the next one of its ring. */
export interface Outline {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly next: Int32Array;
  readonly before: Int32Array;
  /** The number of the vertex's ring. */
  readonly rings: Int32Array;
}

export function createOutline(rings: readonly Ring[]): Outline {
  const xs: number[] = [];
  const ys: number[] = [];
  const next: number[] = [];
  const before: number[] = [];
  const ringOf: number[] = [];
  for (const [number, ring] of rings.entries()) {
    const first = xs.length;
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const x = ring[i] ?? 0;
      const y = ring[i + 1] ?? 0;
      if (x === ring[i + 2] && y === ring[i + 3]) continue;
      before.push(xs.length - 1);
      xs.push(x);
      ys.push(y);
      ringOf.push(number);
      next.push(xs.length);
    }
    if (xs.length === first) continue;
    before[first] = xs.length - 1;
    next[xs.length - 1] = first;
  }
  return {
    xs: Float64Array.from(xs),
    ys: Float64Array.from(ys),
    next: Int32Array.from(next),
    before: Int32Array.from(before),
    rings: Int32Array.from(ringOf),
  };
}

/** Compares x first and then y, so that a vertical edge has a left end, too. */
export function isLeft({ xs, ys }: Outline, vertex: number, of: number): boolean {
  const x = at(xs, vertex);
  const ofX = at(xs, of);
  return x < ofX || (x === ofX && at(ys, vertex) < at(ys, of));
}

export const leftEnd = (outline: Outline, edge: number): number => {
  const end = at(outline.next, edge);
  return isLeft(outline, edge, end) ? edge : end;
};

export const rightEnd = (outline: Outline, edge: number): number => {
  const end = at(outline.next, edge);
  return isLeft(outline, edge, end) ? end : edge;
};

export const at = (numbers: Float64Array | Int32Array, i: number): number => numbers[i] ?? Number.NaN;
