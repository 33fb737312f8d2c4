import { polygon } from "@turf/helpers";
import { kinks } from "@turf/kinks";
import { expect, test } from "vitest";
import { isWithin, prepareArea } from "../../../../projections/geometry/area.ts";
import { flawOfOutline } from "../../../../projections/geometry/self-intersection.ts";
import { createRandom, type Random } from "../live/random-log.ts";

type Ring = readonly number[];
type Point = readonly [number, number];

const meetsItself = (rings: readonly Ring[]): boolean => flawOfOutline(rings) === "meets";

const square = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];

test.each<[string, readonly Ring[], boolean]>([
  ["a triangle", [[0, 0, 10, 0, 5, 5, 0, 0]], false],
  ["a square", [square], false],
  ["a point given twice in a row", [[0, 0, 10, 0, 10, 0, 10, 10, 0, 10, 0, 0, 0, 0]], false],
  ["points on a straight side", [[0, 0, 3, 0, 7, 0, 10, 0, 10, 10, 0, 10, 0, 5, 0, 0]], false],
  ["a hole inside", [square, [2, 2, 4, 2, 4, 4, 2, 2]], false],
  ["a point all over", [[3, 3, 3, 3, 3, 3, 3, 3]], false],
  ["a bow tie", [[0, 0, 10, 10, 10, 0, 0, 10, 0, 0]], true],
  ["a corner on another side", [[0, 0, 10, 0, 10, 10, 5, 0, 0, 10, 0, 0]], true],
  ["a notch that reaches the side across", [[0, 0, 10, 0, 10, 10, 0, 10, 0, 8, 10, 5, 0, 4, 0, 0]], true],
  ["a side along another side", [[0, 0, 10, 0, 10, 5, 8, 5, 8, 0, 2, 0, 2, 5, 0, 5, 0, 0]], true],
  ["a whisker, out and back", [[0, 0, 10, 0, 10, 5, 15, 7, 10, 5, 10, 10, 0, 10, 0, 0]], true],
  ["one corner met twice", [[0, 0, 5, 5, 10, 0, 10, 10, 5, 5, 0, 10, 0, 0]], true],
  ["the same ring twice", [square, square], true],
  ["a hole that touches with a corner", [square, [0, 5, 4, 4, 4, 6, 0, 5]], true],
  ["a hole across a side", [square, [8, 2, 12, 2, 12, 4, 8, 2]], true],
])("%s", (_, rings, expected) => {
  for (const turned of quarterTurns(rings)) expect(meetsItself(turned)).toBe(expected);
});

test("sides that would cross by rounding alone do not, and those that cross by the last bit do", () => {
  const up = 0.1 + 0.2;
  const ring = (y: number) => [0, 0, 1, 0.3, 3, 0.9, 3, 2, 1, y, 0, 2, 0, 0];

  expect(meetsItself([ring(0.3)])).toBe(true);
  expect(meetsItself([ring(up)])).toBe(false);
  expect(meetsItself([ring(0.3 - Number.EPSILON / 8)])).toBe(true);
});

test("random outlines on a small grid, where nearly everything touches, are judged as pair by pair", () => {
  const random = createRandom(3);
  let met = 0;
  for (let i = 0; i < 40_000; i++) {
    const size = 3 + Math.floor(random() * 9);
    const grid = 2 + Math.floor(random() * 8);
    const rings = Array.from({ length: random() < 0.2 ? 2 : 1 }, () => onGrid(random, size, grid));
    const expected = meetsPairByPair(rings);
    if (expected) met++;

    expect(meetsItself(rings), JSON.stringify(rings)).toBe(expected);
  }
  expect(met).toBeGreaterThan(1_000);
  expect(met).toBeLessThan(39_000);
});

test("random outlines with room between their points are judged as by turf", () => {
  const random = createRandom(5);
  for (let i = 0; i < 1_000; i++) {
    const corners = 4 + Math.floor(random() * 40);
    const ring = star(random, corners, i % 2 === 0 ? 0 : 1.5 / corners);

    expect(meetsItself([ring]), JSON.stringify(ring)).toBe(kinks(polygon(nested([ring]))).features.length > 0);
  }
});

test("random rings that do not meet are nested as their first points say, ring by ring", () => {
  const random = createRandom(7);
  const checked = { nested: 0, apart: 0 };
  while (Math.min(checked.nested, checked.apart) < 300) {
    const outer = star(random, 12, 0);
    const rings = [outer, ...Array.from({ length: 1 + Math.floor(random() * 4) }, () => placed(random, outer))];
    if (random() < 0.1) rings.reverse();
    if (meetsItself(rings)) continue;
    const areas = rings.map((ring) => prepareArea([ring]));
    const around = rings.map(([x = 0, y = 0], i) =>
      areas.flatMap((area, j) => (j !== i && isWithin(area, x, y) ? [j] : [])),
    );
    const isNested = !around.every((of, i) => (i === 0 ? of.length === 0 : of.length === 1 && of[0] === 0));

    expect(flawOfOutline(rings), JSON.stringify(rings)).toBe(isNested ? "nested" : undefined);
    checked[isNested ? "nested" : "apart"]++;
  }
});

/** The ring smaller, somewhere about itself. */
function placed(random: Random, ring: Ring): Ring {
  const [size, right, up] = [0.05 + random() * 0.4, (random() - 0.5) * 500, (random() - 0.5) * 500];
  return ring.map((value, i) => value * size + (i % 2 === 0 ? right : up));
}

test("numbers that no exact arithmetic can hold come to an end, too", () => {
  const random = createRandom(9);
  for (let i = 0; i < 200; i++) {
    const ring = onGrid(random, 12, 6).map((value) => value * 1e200);

    expect(typeof meetsItself([ring])).toBe("boolean");
  }
});

function quarterTurns(rings: readonly Ring[]): (readonly Ring[])[] {
  const turn = (ring: Ring) => ring.map((value, i) => (i % 2 === 0 ? -(ring[i + 1] ?? 0) : (ring[i - 1] ?? value)));
  const turns = [rings];
  for (let i = 0; i < 3; i++) turns.push((turns[i] ?? []).map(turn));
  return turns;
}

function onGrid(random: Random, size: number, grid: number): Ring {
  const ring = Array.from({ length: size * 2 }, () => Math.floor(random() * grid));
  return [...ring, ...ring.slice(0, 2)];
}

/** A ring around a centre; with `slip` the angle sometimes goes back, which makes crossings. */
function star(random: Random, corners: number, slip: number): Ring {
  const ring: number[] = [];
  for (let i = 0; i < corners; i++) {
    const angle = (i / corners + slip * (random() - 0.5)) * 2 * Math.PI;
    const radius = 100 + random() * 300;
    ring.push(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  return [...ring, ...ring.slice(0, 2)];
}

const nested = (rings: readonly Ring[]): number[][][] =>
  rings.map((ring) => ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : [])));

/** Exact for small whole numbers. */
function meetsPairByPair(rings: readonly Ring[]): boolean {
  const edges = rings.flatMap((ring, r) => {
    const points = nested([ring])[0]?.map(([x = 0, y = 0]): Point => [x, y]) ?? [];
    const apart = points.filter(([x, y], i) => i === 0 || x !== points[i - 1]?.[0] || y !== points[i - 1]?.[1]);
    const last = apart.length - 1;
    return apart.slice(1).map((to, i) => ({ r, i, last, from: apart[i] ?? to, to }));
  });
  return edges.some((a, n) =>
    edges.slice(n + 1).some((b) => {
      if (a.r === b.r && b.i - a.i === 1 && runsBack(a.from, a.to, b.to)) return true;
      if (a.r === b.r && b.i - a.i === a.last - 1 && runsBack(b.from, b.to, a.to)) return true;
      const follow = a.r === b.r && (b.i - a.i === 1 || b.i - a.i === a.last - 1);
      return !follow && share(a.from, a.to, b.from, b.to);
    }),
  );
}

const runsBack = (from: Point, over: Point, to: Point): boolean =>
  side(from, over, to) === 0 && (from[0] - over[0]) * (to[0] - over[0]) + (from[1] - over[1]) * (to[1] - over[1]) > 0;

function share(a: Point, b: Point, c: Point, d: Point): boolean {
  const sides = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  const [s0 = 0, s1 = 0, s2 = 0, s3 = 0] = sides;
  if (s0 * s1 < 0 && s2 * s3 < 0) return true;
  return (
    (s0 === 0 && isBetween(a, b, c)) ||
    (s1 === 0 && isBetween(a, b, d)) ||
    (s2 === 0 && isBetween(c, d, a)) ||
    (s3 === 0 && isBetween(c, d, b))
  );
}

const side = ([ax, ay]: Point, [bx, by]: Point, [px, py]: Point): number =>
  Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax));

const isBetween = ([ax, ay]: Point, [bx, by]: Point, [px, py]: Point): boolean =>
  Math.min(ax, bx) <= px && px <= Math.max(ax, bx) && Math.min(ay, by) <= py && py <= Math.max(ay, by);
