import { expect, test } from "vitest";
import { Frame, frameOf, HELD_MS } from "../../../../../services/console/picture/frame.ts";
import { areaOf, boxOf, isInRings, isUpright } from "../../../../../services/console/picture/rings.ts";
import { stepOf } from "../../../../../services/console/picture/scale.ts";
import type { Scene, SceneObject } from "../../../../../services/console/picture/scene.ts";
import type { Box, Ring } from "../../../../../services/console/picture/view.ts";

const square = (left: number, top: number, size: number): Ring => [
  [left, top],
  [left + size, top],
  [left + size, top + size],
  [left, top + size],
  [left, top],
];

test("the box of a ring is the smallest around it", () => {
  expect(
    boxOf([
      [3, 9],
      [7, -1],
      [5, 20],
    ]),
  ).toEqual([3, -1, 7, 20]);
  expect(boxOf([])).toEqual([0, 0, 0, 0]);
});

test("a point in a hole is not inside, whether the ring is closed or open", () => {
  const rings = [square(0, 0, 100), square(40, 40, 20).slice(0, -1)];

  expect(isInRings(rings, [10, 10])).toBe(true);
  expect(isInRings(rings, [50, 50])).toBe(false);
  expect(isInRings(rings, [101, 50])).toBe(false);
});

test("an upright box is one whatever its direction, a slope or a corner more is none", () => {
  const box: Box = [0, 0, 10, 10];

  expect(isUpright(square(0, 0, 10), box)).toBe(true);
  expect(isUpright(square(0, 0, 10).toReversed().slice(1), box)).toBe(true);
  expect(
    isUpright(
      [
        [0, 0],
        [10, 1],
        [10, 10],
        [0, 10],
      ],
      box,
    ),
  ).toBe(false);
  expect(
    isUpright(
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 10],
        [0, 10],
      ],
      box,
    ),
  ).toBe(false);
});

test("the area of a ring does not depend on its direction", () => {
  expect(areaOf(square(5, 5, 10))).toBe(100);
  expect(areaOf(square(5, 5, 10).toReversed())).toBe(100);
});

test.each([
  [1, 100],
  [0.5, 200],
  [2, 50],
  [10, 10],
  [100, 1],
])("at a scale of %d, the lines of a grid are %d apart", (scale, step) => {
  expect(stepOf(scale)).toBe(step);
});

const sceneWith = (...boxes: readonly Box[]): Pick<Scene, "zones" | "objects"> => ({
  zones: [],
  objects: new Map(boxes.map((box, i) => [String(i), { box } as SceneObject])),
});

test("a frame has the smallest usual size that holds the middles of all boxes", () => {
  const frame = new Frame();
  expect(frame.box).toEqual([0, 0, 640, 480]);

  expect(frame.include(sceneWith([600, 400, 660, 500]))).toBe(false);
  expect(frame.include(sceneWith([1_240, 600, 1_300, 740]))).toBe(true);
  expect(frame.box).toEqual([0, 0, 1_280, 720]);
});

test("a frame of a wall shrinks only after minutes in which somebody is seen, and nobody far out", () => {
  const frame = new Frame(HELD_MS);
  const [far, near] = [sceneWith([1_900, 1_000, 1_910, 1_010]), sceneWith([100, 100, 120, 140])];
  const [minute, night] = [60_000, 600 * 60_000];
  frame.include(far, undefined, 0);
  for (let at = minute; at <= night; at += minute) frame.include(sceneWith(), undefined, at);
  expect(frame.box).toEqual([0, 0, 1_920, 1_080]);

  frame.include(near, undefined, night);
  expect(frame.box).toEqual([0, 0, 1_920, 1_080]);
  for (let at = night; at <= night + 11 * minute; at += minute) frame.include(near, undefined, at);
  expect(frame.box).toEqual([0, 0, 640, 480]);
});

test("the frame of a camera does not shrink, and pages about the camera share it", () => {
  const [far, near] = [sceneWith([1_900, 1_000, 1_910, 1_010]), sceneWith([100, 100, 120, 140])];
  frameOf("west").include(far, undefined, 0);
  frameOf("west").include(near, undefined, 3 * HELD_MS);
  frameOf("west").include(near, undefined, 6 * HELD_MS);

  expect(frameOf("west").box).toEqual([0, 0, 1_920, 1_080]);
  expect(frameOf("east").box).toEqual([0, 0, 640, 480]);
});

test("an object farther away than any image is wide does not count", () => {
  const frame = new Frame();

  expect(frame.include(sceneWith([1e9, 100, 1e9 + 20, 140], [-1e9, 100, -1e9, 140]))).toBe(false);
});

test("a frame does not shrink at once, unless an image says its size", () => {
  const frame = new Frame();
  frame.include(sceneWith([1_900, 1_000, 1_910, 1_010]));

  expect(frame.include(sceneWith())).toBe(false);
  expect(frame.include(sceneWith(), { naturalWidth: 800, naturalHeight: 600 })).toBe(true);
  expect(frame.box).toEqual([0, 0, 800, 600]);
  expect(frame.include(sceneWith())).toBe(false);
});
