import { describe, expect, test } from "vitest";
import { centreOf } from "../../../../projections/geometry/box.ts";
import { distanceM } from "../../../../projections/geometry/great-circle.ts";
import { locate } from "../../../../projections/snapshot/locate.ts";
import type { Spot } from "../../../../projections/snapshot/spot.ts";
import { createRandom } from "../../../../services/cli/demo/scene/random.ts";
import { boxAround, every, type Pixel, START, spot, spotsOf, voyage } from "./paths.ts";

const centreAt = (spots: readonly Spot[], second: number): Pixel => {
  const box = locate(spots, START + second * 1000)?.box;
  if (box == null) throw new Error("no box");
  return centreOf(box);
};

describe("the method", () => {
  const spots = spotsOf([1, 2, 4], (second) => ({ box: boxAround({ x: 100 * second, y: 50 }) }));

  test.each([
    ["real", 2, 0, 200],
    ["linear", 2.5, 500, 250],
    ["linear", 3.75, 250, 375],
    ["forward_extrapolation", 6, 2_000, 400],
    ["backward_extrapolation", 0.25, 750, 100],
  ])("%s at second %d", (method, second, offsetMs, x) => {
    const located = locate(spots, START + second * 1000);

    expect(located).toMatchObject({ method, offsetMs, box: boxAround({ x, y: 50 }) });
  });

  test("one detection is real at its time and extrapolated everywhere else", () => {
    const one = spots.slice(0, 1);

    const methods = [0, 1, 2].map((second) => locate(one, START + second * 1000)?.method);

    expect(methods).toEqual(["backward_extrapolation", "real", "forward_extrapolation"]);
  });

  test("there is no place without a detection", () => {
    expect(locate([], START)).toBeUndefined();
  });
});

describe("what a detection lacks", () => {
  const places = [
    { longitude: 10, latitude: 50 },
    { longitude: 10, latitude: 50.002 },
  ];
  const spots = [
    spot({ at: START, box: boxAround({ x: 0, y: 0 }), place: places[0] ?? null }),
    spot({ at: START + 1000, box: boxAround({ x: 30, y: 0 }) }),
    spot({ at: START + 2000, place: places[1] ?? null }),
  ];

  test("comes from those around it that have it", () => {
    expect(locate(spots, START + 1000)).toMatchObject({ method: "real", offsetMs: 0 });
    expect(locate(spots, START + 1000)?.place?.latitude).toBeCloseTo(50.001, 12);
    expect(locate(spots, START + 1500)).toMatchObject({ method: "linear", box: boxAround({ x: 30, y: 0 }) });
  });

  test("is null when no detection of the window has it", () => {
    expect(locate(spots.slice(1, 2), START)).toMatchObject({ place: null });
    expect(locate(spots.slice(2), START)).toMatchObject({ box: null });
  });
});

test("on a straight way at a constant speed every instant is exact, whatever the gaps between the detections", () => {
  const random = createRandom(1);
  for (let i = 0; i < 500; i++) {
    const [x, y, vx, vy] = [random.between(0, 2_000), random.between(0, 1_000), random.between(-300, 300), 40];
    const way = (second: number) => ({ x: x + vx * second, y: y + vy * second });
    const seconds = [...new Set(Array.from({ length: 2 + random.below(20) }, () => random.below(10_000) / 1000))];
    const spots = spotsOf(
      seconds.sort((a, b) => a - b),
      (second) => ({ box: boxAround(way(second)) }),
    );
    const at = Math.round(1000 * random.between(seconds[0] ?? 0, seconds.at(-1) ?? 0)) / 1000;

    const { x: foundX, y: foundY } = centreAt(spots, at);

    expect(foundX).toBeCloseTo(way(at).x, 8);
    expect(foundY).toBeCloseTo(way(at).y, 8);
  }
});

test("on a circle the error is at most the height of the arc between two detections", () => {
  const [radius, perSecond, step] = [200, 0.7, 0.1];
  const way = (second: number) => ({
    x: 500 + radius * Math.cos(perSecond * second),
    y: 400 + radius * Math.sin(perSecond * second),
  });
  const spots = spotsOf(every(step, 0, 10), (second) => ({ box: boxAround(way(second)) }));
  const height = radius * (1 - Math.cos((perSecond * step) / 2));
  const random = createRandom(2);
  for (let i = 0; i < 500; i++) {
    const second = random.below(10_001) / 1000;

    const found = centreAt(spots, second);

    const truth = way(second);
    expect(Math.hypot(found.x - truth.x, found.y - truth.y)).toBeLessThanOrEqual(height + 1e-9);
  }
});

test("with a constant acceleration the error is exactly that of a chord", () => {
  const acceleration = 80;
  const way = (second: number) => ({ x: (acceleration * second ** 2) / 2, y: 0 });
  const spots = spotsOf(every(0.5, 0, 10), (second) => ({ box: boxAround(way(second)) }));
  for (const second of every(0.125, 0, 10)) {
    const [before, after] = [Math.floor(second * 2) / 2, Math.ceil(second * 2) / 2];

    const error = centreAt(spots, second).x - way(second).x;

    expect(error).toBeCloseTo((acceleration * (second - before) * (after - second)) / 2, 8);
  }
});

test.each([
  ["at the equator", { longitude: 0, latitude: 0 }, 90],
  ["in the north", { longitude: 13.4, latitude: 69.6 }, 37],
  ["across the antimeridian", { longitude: 179.9999, latitude: -16.5 }, 80],
  ["over the pole", { longitude: 20, latitude: 89.9995 }, 5],
])("on a great circle %s every instant is exact to a tenth of a millimetre", (_, from, bearing) => {
  const { at } = voyage(from, bearing, 30);
  const spots = spotsOf(every(2, 0, 20), (second) => ({ place: at(second) }));
  for (const second of every(0.25, 0, 20)) {
    const place = locate(spots, START + second * 1000)?.place;

    expect(place && distanceM(place, at(second))).toBeLessThan(1e-4);
  }
});

test("the time of the log is mixed as the place is", () => {
  const spots = [spot({ recordedAt: 5_000 }), spot({ at: START + 1000, recordedAt: 7_000 })];

  expect(locate(spots, START + 250)?.recordedAt).toBe(5_500);
  expect(locate(spots, START + 9000)?.recordedAt).toBe(7_000);
  expect(locate([spot()], START)?.recordedAt).toBeNull();
});
