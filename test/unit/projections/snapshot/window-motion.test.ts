import { describe, expect, test } from "vitest";
import { motionInImage, motionOnGround } from "../../../../projections/snapshot/window-motion.ts";
import { createRandom } from "../../../../services/cli/demo/scene/random.ts";
import { boxAround, every, START, spot, spotsOf, voyage } from "./paths.ts";

/** Degrees between two directions. */
const turn = (a: number | null, b: number): number => Math.abs((((((a ?? Number.NaN) - b) % 360) + 540) % 360) - 180);

describe("in the image", () => {
  test.each([
    ["up", 0, -1, 0],
    ["right", 1, 0, 90],
    ["down", 0, 1, 180],
    ["left", -1, 0, 270],
    ["right and up", 1, -1, 45],
  ])("%s is its direction", (_, dx, dy, direction) => {
    const spots = spotsOf([0, 1, 2], (second) => ({ box: boxAround({ x: 100 * dx * second, y: 100 * dy * second }) }));

    const speed = 100 * Math.hypot(dx, dy);
    expect(motionInImage(spots)).toEqual({
      avg_velocity: expect.closeTo(speed, 9),
      max_velocity: expect.closeTo(speed, 9),
      direction,
      sample_count: 2,
    });
  });

  test("on a circle the speed is that of the chords, and the direction that of the displacement", () => {
    const [radius, perSecond, step] = [200, 0.5, 0.2];
    const way = (second: number) => ({
      x: radius * Math.cos(perSecond * second),
      y: radius * Math.sin(perSecond * second),
    });
    const quarter = Math.PI / 2 / perSecond;
    const spots = spotsOf(every(step, 0, quarter), (second) => ({ box: boxAround(way(second)) }));
    const motion = motionInImage(spots);
    const speed = (2 * radius * Math.sin((perSecond * step) / 2)) / step;

    expect(motion?.avg_velocity).toBeCloseTo(speed, 9);
    expect(motion?.max_velocity).toBeCloseTo(speed, 9);
    const end = way(every(step, 0, quarter).at(-1) ?? 0);
    const direction = (Math.atan2(end.x - radius, -end.y) * 180) / Math.PI + 360;
    expect(motion?.direction).toBeCloseTo(direction, 9);
  });

  test("with a constant acceleration the mean is that of the pairs and the greatest speed is the last one", () => {
    const spots = spotsOf(every(0.5, 0, 10), (second) => ({ box: boxAround({ x: 40 * second ** 2, y: 7 }) }));

    expect(motionInImage(spots)).toEqual({
      avg_velocity: expect.closeTo(400, 9),
      max_velocity: expect.closeTo(40 * (10 + 9.5), 9),
      direction: 90,
      sample_count: 20,
    });
  });

  test("who comes back to where the window began has speed and no direction", () => {
    const spots = spotsOf([0, 1, 2], (second) => ({ box: boxAround({ x: second === 1 ? 50 : 0, y: 0 }) }));

    expect(motionInImage(spots)).toEqual({ avg_velocity: 50, max_velocity: 50, direction: null, sample_count: 2 });
  });

  test("one detection has no speed, and one without a polygon does not count", () => {
    const spots = [spot({ box: boxAround({ x: 1, y: 2 }) }), spot({ at: START + 500 })];

    expect(motionInImage(spots)).toEqual({
      avg_velocity: null,
      max_velocity: null,
      direction: null,
      sample_count: 0,
    });
    expect(motionInImage(spots.slice(1))).toBeNull();
  });
});

describe("on the ground", () => {
  test("speed and direction on any great circle are those of the voyage", () => {
    const random = createRandom(3);
    for (let i = 0; i < 300; i++) {
      const from = { longitude: random.between(-180, 180), latitude: random.between(-85, 85) };
      const [bearing, speed] = [random.between(0, 360), random.between(0.5, 40)];
      const { at } = voyage(from, bearing, speed);
      const spots = spotsOf(every(0.5, 0, 20), (second) => ({ place: at(second) }));

      const motion = motionOnGround(spots);

      expect(motion?.avg_velocity).toBeCloseTo(speed, 5);
      expect(motion?.max_velocity).toBeCloseTo(speed, 4);
      expect(turn(motion?.direction ?? null, bearing)).toBeLessThan(1e-4);
      expect(motion?.sample_count).toBe(40);
    }
  });

  test("the direction is that at the window's first position", () => {
    const { at, bearing } = voyage({ longitude: 0, latitude: 60 }, 90, 5_000);
    const spots = spotsOf(every(1, 0, 60), (second) => ({ place: at(second) }));

    expect(motionOnGround(spots)?.direction).toBeCloseTo(90, 6);
    expect(motionOnGround(spots.slice(30))?.direction).toBeCloseTo(bearing(30), 6);
  });

  test("without movement there is no direction, without positions no motion", () => {
    const still = spotsOf([0, 1], () => ({ place: { longitude: 8, latitude: 48 } }));

    expect(motionOnGround(still)).toEqual({ avg_velocity: 0, max_velocity: 0, direction: null, sample_count: 1 });
    expect(motionOnGround([spot()])).toBeNull();
  });
});
