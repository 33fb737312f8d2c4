import Flatbush from "flatbush";
import { expect, test, vi } from "vitest";
import { checkFilter } from "../../../../projections/filters/check.ts";
import { matchesPoints } from "../../../../projections/filters/kinds/point.ts";
import { flawOfRings } from "../../../../projections/geometry/rings.ts";

const box = (x0: number, y0: number, x1: number, y1: number): [number, number][] => [
  [x0, y0],
  [x1, y0],
  [x1, y1],
  [x0, y1],
  [x0, y0],
];
const bowTie: [number, number][] = [
  [0, 0],
  [4, 4],
  [4, 0],
  [0, 4],
  [0, 0],
];
const filterOf = (coordinates: [number, number][][]) => ({ position: { in: { type: "Polygon", coordinates } } });

test.each([
  ["a ring that crosses itself", [bowTie]],
  ["a hole that crosses the first ring", [box(0, 0, 4, 4), box(2, 2, 6, 6)]],
  ["a hole that touches the first ring", [box(0, 0, 4, 4), box(0, 1, 2, 2)]],
  ["holes that cross", [box(0, 0, 9, 9), box(1, 1, 4, 4), box(3, 3, 6, 6)]],
  ["a hole outside the first ring", [box(0, 0, 4, 4), box(5, 5, 6, 6)]],
  ["a hole around the first ring", [box(1, 1, 2, 2), box(0, 0, 4, 4)]],
  ["a hole within a hole", [box(0, 0, 9, 9), box(1, 1, 8, 8), box(2, 2, 3, 3)]],
])("%s is refused in a filter, with its path", (_name, rings) => {
  const refused = { code: "BAD_USER_INPUT", inputPath: ["filter", "position", "in", "coordinates"] };
  expect(() => checkFilter(filterOf(rings))).toThrow(expect.objectContaining(refused));
});

test.each([
  [
    "a hole that touches the first ring in one point",
    [
      [0, 2],
      [2, 1],
      [2, 3],
      [0, 2],
    ],
  ],
  [
    "a hole that touches another hole in one point",
    [
      [4, 4],
      [3, 4],
      [3, 3],
      [4, 4],
    ],
  ],
] as const)("%s is refused, and the refusal says that rings touch", (_name, hole) => {
  const rings = [box(0, 0, 9, 9), box(4, 4, 8, 8), hole.map(([x, y]): [number, number] => [x, y])];
  expect(() => checkFilter(filterOf(rings))).toThrow("rings cross or touch themselves or each other");
});

test("a polygon with two holes is accepted, and each of its borders is outside", () => {
  const filter = filterOf([box(0, 0, 9, 9), box(1, 1, 3, 3), box(5, 5, 7, 7)]);
  const isIn = (longitude: number, latitude: number) =>
    matchesPoints(filter.position, [{ longitude, latitude, altitude: null, crs: null }]);

  expect(() => checkFilter(filter)).not.toThrow();
  expect([isIn(4, 4), isIn(2, 2), isIn(10, 1)]).toEqual([true, false, false]);
  for (const [x, y] of [
    [0, 4],
    [9, 9],
    [4, 0],
    [1, 2],
    [3, 3],
    [6, 7],
  ] as const) {
    expect(isIn(x, y)).toBe(false);
  }
});

/** Slanting strips, side by side: the box of each overlaps with most others. */
function strips(count: number): number[][] {
  const outer = [-2, -2, 2 * count + 2, -2, 2 * count + 2, 2 * count + 2, -2, 2 * count + 2, -2, -2];
  const strip = (i: number) => [i / 2, 0, i / 2 + count, count, i / 2 + count + 0.2, count, i / 2, 0];
  return [outer, ...Array.from({ length: count }, (_, i) => strip(i))];
}

test("holes whose boxes overlap are not compared pair by pair", () => {
  const search = vi.spyOn(Flatbush.prototype, "search");
  try {
    expect(flawOfRings(strips(2_500))).toBeUndefined();
    const pairs = search.mock.results.reduce((sum, { value }) => sum + value.length, 0);
    expect(pairs).toBeLessThan(100_000);
  } finally {
    search.mockRestore();
  }
});
