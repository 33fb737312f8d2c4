import { expect, test } from "vitest";
import {
  contains,
  createProbe,
  insidePercent,
  loadProbe,
  prepareShape,
  sharedArea,
} from "../../../../projections/geometry/shape.ts";
import { columns, layers, turned } from "../../../bench/bounds/shapes.ts";
import { sharedArea as areaBySlabs } from "../../../support/oracles/oracle-area.ts";
import { rectangle } from "../live/camera.ts";
import { createRandom, type Random } from "../live/random-log.ts";

type Rings = number[][];

function probeOf(rings: Rings) {
  const probe = createProbe();
  loadProbe(probe, rings);
  return probe;
}

const shared = (zone: Rings, box: Rings): number => sharedArea(prepareShape(zone), probeOf(box));
const percent = (zone: Rings, box: Rings): number => insidePercent(prepareShape(zone), probeOf(box));

const square = [rectangle(0, 0, 100, 100)];
const withHole = [...square, rectangle(25, 25, 75, 75)];
const arch = [[0, 0, 100, 0, 100, 100, 70, 100, 70, 30, 30, 30, 30, 100, 0, 100, 0, 0]];

test.each([
  ["wholly inside", square, [rectangle(10, 10, 20, 20)], 100],
  ["half over a side", square, [rectangle(-5, 10, 5, 20)], 50],
  ["over a corner", square, [rectangle(95, 95, 105, 105)], 25],
  ["around the zone", square, [rectangle(-50, -50, 150, 150)], 25],
  ["beside", square, [rectangle(101, 0, 111, 10)], 0],
  ["touching a side", square, [rectangle(100, 0, 110, 10)], 0],
  ["touching a corner", square, [rectangle(100, 100, 110, 110)], 0],
  ["in the hole", withHole, [rectangle(30, 30, 40, 40)], 0],
  ["filling the hole", withHole, [rectangle(25, 25, 75, 75)], 0],
  ["half over the hole's side", withHole, [rectangle(20, 40, 30, 50)], 50],
  ["in the notch of a concave zone", arch, [rectangle(31.7, 40.3, 68.9, 80.1)], 0],
  ["across the notch", arch, [rectangle(20, 40, 80, 80)], (100 * 20) / 60],
  ["at negative coordinates", [rectangle(-100, -100, -50, -50)], [rectangle(-60, -60, -40, -40)], 25],
  ["a diamond over a side", square, [[0, 40, 10, 50, 0, 60, -10, 50, 0, 40]], 50],
  ["a concave outline", square, [[-10, 0, 10, 0, 10, 30, 0, 10, -10, 30, -10, 0]], 50],
])("share of the box inside: %s", (_, zone, box, expected) => {
  expect(percent(zone, box)).toBeCloseTo(expected, 10);
});

test("wholly inside is 100 exactly and touching is 0 exactly, also where numbers are not round", () => {
  const random = createRandom(7);
  for (let i = 0; i < 2_000; i++) {
    const [x, y, width, height] = [random() * 4_000, random() * 2_000, random() * 500, random() * 500];
    const box = [rectangle(x, y, x + width, y + height)];
    const around = [
      [
        x - 1,
        y - 1,
        x + width / 3,
        y - 7,
        x + width + 1,
        y - 1,
        x + width + 3,
        y + height + 9,
        x - 2,
        y + height + 1,
        x - 1,
        y - 1,
      ],
    ];
    const below = [
      [
        x - 50,
        y + height,
        x + width / 3,
        y + height,
        x + width + 50,
        y + height,
        x + width,
        y + 900,
        x - 50,
        y + height,
      ],
    ];

    expect(percent(around, box)).toBe(100);
    expect(percent(below, box)).toBe(0);
  }
});

test("the direction in which rings run does not matter", () => {
  const turned = withHole.map((ring) => ring.map((_, i) => ring[ring.length - 2 - i + 2 * (i % 2)] ?? 0));
  const box = [rectangle(10, 10, 50, 50)];

  expect(shared(turned, box)).toBe(shared(withHole, box));
  expect(shared(withHole, turned)).toBeCloseTo(shared(withHole, withHole), 9);
});

test("a box without area counts by its centre", () => {
  expect(percent(square, [[50, 50, 50, 50, 50, 50, 50, 50]])).toBe(100);
  expect(percent(square, [[90, 50, 130, 50, 90, 50]])).toBe(0);
  expect(percent(withHole, [[50, 50, 50, 50]])).toBe(0);
});

test("a point is inside by the exterior ring and no hole", () => {
  const shape = prepareShape(withHole);

  expect([contains(shape, 10, 10), contains(shape, 50, 50), contains(shape, 110, 50)]).toEqual([true, false, false]);
});

test("random stars with holes share with boxes, diamonds and stars what an independent area says", () => {
  const random = createRandom(11);
  for (let i = 0; i < 3_000; i++) {
    const zone = [star(random, 500, 500, 100, 400, 12), star(random, 500, 500, 20, 90, 7)];
    const [x, y] = [random() * 1_000, random() * 1_000];
    const box =
      i % 3 === 0 ? [star(random, x, y, 20, 200, 8)] : [rectangle(x, y, x + random() * 200, y + random() * 200)];

    const expected = areaBySlabs(nested(zone), nested(box));

    expect(Math.abs(shared(zone, box) - expected), `case ${i}`).toBeLessThan(1e-7);
  }
});

test("outlines of many edges share what an independent area says, however their edges run", () => {
  const size = 100;
  const shapes = [layers(43, size), columns(41, size)].flatMap((ring) =>
    [0, 0.3, Math.PI / 4, 2].map((angle) => turned(ring, size, angle, 0.8)),
  );
  for (const zone of shapes) {
    for (const box of shapes) {
      const moved = box.map((value, i) => value + (i % 2 === 0 ? 7.3 : -4.1));
      const expected = areaBySlabs(nested([zone]), nested([moved]));

      expect(Math.abs(shared([zone], [moved]) - expected)).toBeLessThan(1e-7);
    }
  }
});

test("a zone of many edges says of each box, outline and point what it says when every edge is looked at", () => {
  const random = createRandom(13);
  const indexed = prepareShape([star(random, 500, 500, 200, 450, 3_000), star(random, 500, 500, 50, 150, 700)]);
  const plain = { ...indexed, tree: null };
  for (let i = 0; i < 2_000; i++) {
    const [x, y] = [random() * 1_000, random() * 1_000];
    const size = random() < 0.9 ? 30 : 900;
    const box = [i % 3 === 0 ? star(random, x, y, 5, size, 20) : rectangle(x, y, x + size, y + size * random())];

    expect(Math.abs(sharedArea(indexed, probeOf(box)) - sharedArea(plain, probeOf(box)))).toBeLessThan(1e-7);
    expect(insidePercent(indexed, probeOf(box))).toBeCloseTo(insidePercent(plain, probeOf(box)), 7);
    expect(contains(indexed, x, y)).toBe(contains(plain, x, y));
  }
  expect(indexed.tree).not.toBeNull();
});

/** A ring around a centre with radii between two bounds: simple, mostly concave. */
function star(random: Random, x: number, y: number, least: number, most: number, corners: number): number[] {
  const ring: number[] = [];
  for (let i = 0; i < corners; i++) {
    const angle = (i / corners) * 2 * Math.PI;
    const radius = least + random() * (most - least);
    ring.push(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
  return [...ring, ...ring.slice(0, 2)];
}

const nested = (rings: Rings): number[][][] =>
  rings.map((ring) => ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : [])));
