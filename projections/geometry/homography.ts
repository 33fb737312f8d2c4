// The projective map between two planes, from pairs of points that belong together: the normalised direct linear
// transform. Hartley and Zisserman, Multiple View Geometry in Computer Vision, second edition: sections 4.1
// (equations), 4.1.2 (one element set to 1) and 4.4 (normalisation).

/** x and y. */
export type Point = readonly [number, number];

export interface Pair {
  readonly from: Point;
  readonly to: Point;
}

/** @returns undefined when the point has no image: it is at the horizon of the plane or beyond. */
export type Homography = (point: Point) => Point | undefined;

const MIN_PAIRS = 4;
const UNKNOWNS = 8;
/**
 * Minimum size of a pivot, relative to the largest element, and of the determinant. Below it, the points do not fix the
 * map.
 */
const DEGENERATE = 1e-10;
/**
 * Minimum depth, relative to that of the middle of the points: a point a million times farther away is at the horizon.
 */
const HORIZON = 1e-6;

/**
 * @returns undefined when the pairs do not fix a map: they are too few, repeated or on a line, or on both sides of the
 * horizon.
 */
export function homographyOf(pairs: readonly Pair[]): Homography | undefined {
  if (pairs.length < MIN_PAIRS) return undefined;
  const source = normalise(pairs.map(({ from }) => from));
  const target = normalise(pairs.map(({ to }) => to));
  if (source === undefined || target === undefined) return undefined;
  const h = solve(source.points, target.points);
  if (h === undefined || Math.abs(determinant(h)) < DEGENERATE) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, i = 0] = h;
  // The depth is scaled so that it is 1 at the centre of the points. It is negative for a point behind the horizon.
  const depth = ([x, y]: Point): number => g * x + i * y + 1;
  if (source.points.some((point) => depth(point) < HORIZON)) return undefined;
  return (point) => {
    const x = (point[0] - source.middle[0]) * source.scale;
    const y = (point[1] - source.middle[1]) * source.scale;
    const w = depth([x, y]);
    if (!(w >= HORIZON)) return undefined;
    return [
      (a * x + b * y + c) / w / target.scale + target.middle[0],
      (d * x + e * y + f) / w / target.scale + target.middle[1],
    ];
  };
}

interface Normalised {
  readonly points: readonly Point[];
  readonly middle: Point;
  readonly scale: number;
}

/**
 * Moves the points around 0 and scales them to a mean distance of the square root of 2; otherwise rounding would spoil
 * the solution.
 */
function normalise(points: readonly Point[]): Normalised | undefined {
  const middle: Point = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const distance = mean(points.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1])));
  const scale = Math.SQRT2 / distance;
  if (!Number.isFinite(scale)) return undefined;
  return { points: points.map(([x, y]): Point => [(x - middle[0]) * scale, (y - middle[1]) * scale]), middle, scale };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Solves for the first eight elements. The ninth is 1, which it can be because it is never 0: it is the depth of the
 * middle of points that are all on one side of the horizon. More than four pairs are fitted by least squares (normal
 * equations).
 */
function solve(from: readonly Point[], to: readonly Point[]): readonly number[] | undefined {
  const rows = from.flatMap(([x, y], n) => {
    const [u, v] = to[n] ?? [0, 0];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  const equations = Array.from({ length: UNKNOWNS }, (_, i) =>
    Array.from({ length: UNKNOWNS + 1 }, (_, j) => rows.reduce((sum, row) => sum + (row[i] ?? 0) * (row[j] ?? 0), 0)),
  );
  return eliminate(equations);
}

/** Gauss-Jordan elimination with the largest pivot of each column. */
function eliminate(equations: number[][]): readonly number[] | undefined {
  const largest = Math.max(...equations.flat().map(Math.abs));
  for (let column = 0; column < equations.length; column++) {
    const left = equations.slice(column);
    const size = (row: readonly number[]) => Math.abs(row[column] ?? 0);
    const pivot = left.reduce((best, row) => (size(row) > size(best) ? row : best));
    const divisor = pivot[column] ?? 0;
    if (!(Math.abs(divisor) > largest * DEGENERATE)) return undefined;
    equations.splice(column, left.length, pivot, ...left.filter((row) => row !== pivot));
    for (const row of equations) {
      if (row === pivot) continue;
      const times = (row[column] ?? 0) / divisor;
      for (let i = column; i < row.length; i++) row[i] = (row[i] ?? 0) - times * (pivot[i] ?? 0);
    }
  }
  return equations.map((row, i) => (row[UNKNOWNS] ?? 0) / (row[i] ?? 0));
}

function determinant([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0]: readonly number[]): number {
  return a * (e - f * h) - b * (d - f * g) + c * (d * h - e * g);
}
