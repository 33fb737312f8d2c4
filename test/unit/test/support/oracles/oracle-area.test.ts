import { featureCollection, polygon } from "@turf/helpers";
import { intersect } from "@turf/intersect";
import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../../../services/cli/demo/scene/random.ts";
import { contains, type Rings, sharedArea } from "../../../../support/oracles/oracle-area.ts";

const rectangle = (left: number, top: number, right: number, bottom: number): Rings => [
  [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ],
];

const withHole: Rings = [...rectangle(0, 0, 100, 100), ...rectangle(20, 20, 80, 80)];

const concave: Rings = [
  [
    [0, 0],
    [100, 0],
    [100, 100],
    [60, 100],
    [60, 40],
    [40, 40],
    [40, 100],
    [0, 100],
    [0, 0],
  ],
];

describe("shared area", () => {
  test.each([
    ["apart", rectangle(0, 0, 10, 10), rectangle(20, 0, 30, 10), 0],
    ["side by side", rectangle(0, 0, 10, 10), rectangle(10, 0, 20, 10), 0],
    ["one on the other", rectangle(0, 0, 10, 10), rectangle(0, 10, 10, 20), 0],
    ["corner to corner", rectangle(0, 0, 10, 10), rectangle(10, 10, 20, 20), 0],
    ["the same", rectangle(0, 0, 10, 10), rectangle(0, 0, 10, 10), 100],
    ["one in the other", rectangle(0, 0, 10, 10), rectangle(2, 3, 4, 5), 4],
    ["overlapping", rectangle(0, 0, 10, 10), rectangle(5, 5, 15, 15), 25],
    ["in a hole", withHole, rectangle(30, 30, 40, 40), 0],
    ["filling a hole", withHole, rectangle(20, 20, 80, 80), 0],
    ["over a hole's edge", withHole, rectangle(10, 30, 30, 40), 100],
    ["over all of a ring", withHole, rectangle(-10, -10, 110, 110), 6_400],
    ["in a notch", concave, rectangle(40, 50, 60, 100), 0],
    ["over a notch", concave, rectangle(30, 30, 70, 50), 600],
    ["below a peak", concave, rectangle(45, 35, 55, 45), 50],
  ])("of two polygons %s", (_, a, b, area) => {
    expect(sharedArea(a, b)).toBeCloseTo(area, 9);
    expect(sharedArea(b, a)).toBeCloseTo(area, 9);
  });

  test("of two triangles is exact", () => {
    const up: Rings = [[[0, 0], [10, 0], [5, 10], [0, 0]]]; // biome-ignore format: one ring, one line
    const down: Rings = [[[0, 10], [10, 10], [5, 0], [0, 10]]]; // biome-ignore format: one ring, one line

    // A rhombus from (5, 0) to (5, 10), 5 wide at half height.
    expect(sharedArea(up, down)).toBeCloseTo(25, 9);
  });

  test("agrees with turf on random polygons", () => {
    const random = createRandom(20_260_101);
    for (let round = 0; round < 500; round++) {
      const [a, b] = [randomPolygon(random), randomPolygon(random)];
      expect(Math.abs(sharedArea(a, b) - areaByTurf(a, b)), `round ${round}`).toBeLessThan(1e-6);
    }
  });
});

test("a point is contained where the polygon has no hole", () => {
  expect([contains(withHole, 10, 50), contains(withHole, 50, 50), contains(withHole, 150, 50)]).toEqual([
    true,
    false,
    false,
  ]);
});

/** A star-shaped polygon, mostly concave, every second one with a hole of the same shape. */
function randomPolygon(random: Random): Rings {
  const [x, y] = [random.between(-200, 200), random.between(-200, 200)];
  const corners = Array.from({ length: 3 + random.below(9) }, () => random.between(30, 300));
  const ring = (scale: number) => {
    const points = corners.map((radius, index) => {
      const angle = (index / corners.length) * 2 * Math.PI;
      return [x + radius * scale * Math.cos(angle), y + radius * scale * Math.sin(angle)];
    });
    return [...points, ...points.slice(0, 1)];
  };
  return random.chance(0.5) ? [ring(1)] : [ring(1), ring(0.4).reverse()];
}

function areaByTurf(a: Rings, b: Rings): number {
  const toPolygon = (rings: Rings) => polygon(rings.map((ring) => ring.map((point) => [...point])));
  const shared = intersect(featureCollection([toPolygon(a), toPolygon(b)]));
  if (!shared) return 0;
  const { geometry } = shared;
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  return polygons
    .map((rings) => rings.map((ring) => Math.abs(shoelace(ring))))
    .reduce((sum, [exterior = 0, ...holes]) => sum + exterior - holes.reduce((all, hole) => all + hole, 0), 0);
}

const shoelace = (ring: Rings[number]): number =>
  ring.slice(1).reduce((sum, [x = 0, y = 0], index) => {
    const [fromX = 0, fromY = 0] = ring[index] ?? [];
    return sum + (fromX * y - x * fromY) / 2;
  }, 0);
