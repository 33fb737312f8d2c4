// Counts points by cell, in the image or on the ground: a heat map.
import { planAround } from "../picture/plan.ts";
import type { Box, Point, Ring } from "../picture/view.ts";

export interface HeatCell {
  /** Outline, in the units of the points. */
  readonly ring: Ring;
  readonly count: number;
}

export interface Heat {
  /** Size of a cell, in the units of the points. */
  readonly size: number;
  readonly cells: readonly HeatCell[];
  readonly most: number;
  /** Around all cells; undefined without any. */
  readonly all: Box | undefined;
}

const NICE_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] as const;
/** Along the longer side. */
const CELLS = 100;

/** Squares of a round size, so that there are at most CELLS along the longer side. */
export function squareHeat(points: readonly Point[]): Heat {
  const [left, top, right, bottom] = boundsOf(points);
  const extent = Math.max(right - left, bottom - top, 1);
  const size = NICE_SIZES.find((nice) => extent / nice <= CELLS) ?? extent / CELLS;
  const counts = new Map<string, { readonly column: number; readonly row: number; count: number }>();
  for (const [x, y] of points) {
    const [column, row] = [Math.floor(x / size), Math.floor(y / size)];
    const cell = counts.get(`${column} ${row}`) ?? { column, row, count: 0 };
    cell.count++;
    counts.set(`${column} ${row}`, cell);
  }
  const cells = Array.from(counts.values(), ({ column, row, count }) => {
    const [x, y] = [column * size, row * size];
    const ring: Ring = [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
    ];
    return { ring, count };
  });
  return heatOf(cells, size);
}

/** The part of the library for H3 that a heat map needs. */
export interface HexagonLibrary {
  latLngToCell(latitude: number, longitude: number, resolution: number): string;
  cellToBoundary(cell: string): readonly (readonly number[])[];
}

/** About the length of an edge of a hexagon, in metres, by resolution. */
const EDGES_M = [
  1_281_256, 483_057, 182_513, 68_979, 26_072, 9_854, 3_725, 1_406, 531, 201, 76, 28.7, 10.8, 4.1, 1.55, 0.58,
];
const HEXAGONS = 30;

/**
 * Hexagons of H3 on a plane in metres; y grows southwards, as on a map.
 * @param positions longitudes and latitudes in degrees.
 */
export function hexagonHeat(positions: readonly Point[], { latLngToCell, cellToBoundary }: HexagonLibrary): Heat {
  const [west, south, east, north] = boundsOf(positions);
  const project = planAround([(west + east) / 2, (south + north) / 2]);
  const [[left, bottom], [right, top]] = [project([west, south]), project([east, north])];
  const extent = Math.max(right - left, bottom - top, 1);
  const found = EDGES_M.findIndex((edge) => extent / (2 * edge) >= HEXAGONS);
  const resolution = found === -1 ? EDGES_M.length - 1 : found;
  const counts = new Map<string, number>();
  for (const [longitude, latitude] of positions) {
    const cell = latLngToCell(latitude, longitude, resolution);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const cells = Array.from(counts, ([cell, count]) => {
    const ring = cellToBoundary(cell).map(([latitude = 0, longitude = 0]) => project([longitude, latitude]));
    return { ring, count };
  });
  return heatOf(cells, 2 * (EDGES_M[resolution] ?? 1));
}

function heatOf(cells: readonly HeatCell[], size: number): Heat {
  const most = cells.reduce((max, { count }) => Math.max(max, count), 0);
  const all = cells.length === 0 ? undefined : boundsOf(cells.flatMap(({ ring }) => ring));
  return { size, cells, most, all };
}

/** @returns a box without an area when there is no point. */
function boundsOf(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return points.length === 0 ? [0, 0, 0, 0] : [left, top, right, bottom];
}

/** Viridis: it grows evenly in brightness, also for colour-blind people. */
const STOPS = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
] as const;
export const HEAT_STEPS = 12;

/** Colours from few to many. */
export const HEAT_COLOURS: readonly string[] = Array.from({ length: HEAT_STEPS }, (_, step) => {
  const place = (step / (HEAT_STEPS - 1)) * (STOPS.length - 1);
  const [low, high] = [Math.floor(place), Math.ceil(place)];
  const channel = (index: 0 | 1 | 2) => {
    const [a, b] = [STOPS[low]?.[index] ?? 0, STOPS[high]?.[index] ?? 0];
    return Math.round(a + (b - a) * (place - low));
  };
  return `rgb(${channel(0)} ${channel(1)} ${channel(2)})`;
});

/** Steps grow with the square root, so that few are seen beside many. */
export const heatStep = (count: number, most: number): number =>
  Math.min(HEAT_STEPS - 1, Math.floor(Math.sqrt(count / Math.max(1, most)) * HEAT_STEPS));
