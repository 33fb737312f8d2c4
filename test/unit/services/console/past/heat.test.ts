import * as h3 from "h3-js";
import { expect, test } from "vitest";
import {
  HEAT_COLOURS,
  HEAT_STEPS,
  heatStep,
  hexagonHeat,
  squareHeat,
} from "../../../../../services/console/past/heat.ts";
import type { Point } from "../../../../../services/console/picture/view.ts";

const counts = (cells: readonly { readonly count: number }[]) => cells.map(({ count }) => count).sort((a, b) => a - b);

test("points in the same square are counted together", () => {
  const heat = squareHeat([
    [10, 10],
    [11, 12],
    [790, 400],
  ]);

  expect(heat.size).toBe(10);
  expect(heat.most).toBe(2);
  expect(counts(heat.cells)).toEqual([1, 2]);
  expect(heat.cells[0]?.ring).toEqual([
    [10, 10],
    [20, 10],
    [20, 20],
    [10, 20],
  ]);
});

test("squares left of and above the origin are not mixed with those beside it", () => {
  expect(
    counts(
      squareHeat([
        [-1, -1],
        [1, 1],
      ]).cells,
    ),
  ).toEqual([1, 1]);
});

test("however large the plane is, the cells are few", () => {
  const points: Point[] = Array.from({ length: 10_000 }, (_, i) => [(i % 100) * 1e5, Math.floor(i / 100) * 1e5]);

  expect(squareHeat(points).cells.length).toBeLessThanOrEqual(101 * 101);
});

test("no points have no cells and no bounds", () => {
  expect(squareHeat([])).toEqual({ size: 1, cells: [], most: 0, all: undefined });
  expect(hexagonHeat([], h3)).toMatchObject({ cells: [], most: 0, all: undefined });
});

test("positions a few metres apart are in different hexagons, on a plane in metres", () => {
  const here: Point = [4.9, 52.37];
  const east: Point = [4.9 + 100 / (111_195 * Math.cos((52.37 * Math.PI) / 180)), 52.37];

  const { cells, all, most } = hexagonHeat([here, here, east], h3);

  expect(counts(cells)).toEqual([1, 2]);
  expect(most).toBe(2);
  const [left, , right] = all ?? [0, 0, 0, 0];
  expect(right - left).toBeGreaterThan(95);
  expect(right - left).toBeLessThan(115);
});

test("few detections have the first colour, and the most have the last", () => {
  expect(heatStep(1, 1_000)).toBe(0);
  expect(heatStep(1_000, 1_000)).toBe(HEAT_STEPS - 1);
  expect(new Set(HEAT_COLOURS).size).toBe(HEAT_STEPS);
});
