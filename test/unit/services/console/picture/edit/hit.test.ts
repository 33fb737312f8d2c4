import { expect, test } from "vitest";
import { editHitOf, handlesOf, reachOf } from "../../../../../../services/console/picture/edit/hit.ts";
import type { Point, Ring } from "../../../../../../services/console/picture/view.ts";

const square: Ring = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
];
const hole: Ring = [
  [40, 40],
  [60, 40],
  [60, 60],
  [40, 60],
];
const draft = { rings: [square, hole], isOpen: false };
/** Two pixels of the screen for one of the image. */
const view = { scale: 2, left: 10, top: 20 };
const mouse = reachOf("mouse");

const at = ([x, y]: Point, dx = 0, dy = 0): Point => [10 + 2 * x + dx, 20 + 2 * y + dy];

test("a corner is hit within its reach on the screen, whatever the zoom", () => {
  const corner = { on: "corner", corner: { ring: 0, index: 2 } };

  for (const scale of [0.5, 2, 30]) {
    const zoomed = { scale, left: 0, top: 0 };
    expect(editHitOf(draft, zoomed, [100 * scale + 9, 100 * scale], mouse)).toEqual(corner);
    expect(editHitOf(draft, zoomed, [100 * scale + 11, 100 * scale], mouse)).toEqual({ on: "nothing" });
    expect(editHitOf(draft, zoomed, [100 * scale + 21, 100 * scale], reachOf("touch"))).toEqual(corner);
  }
});

test("of two corners in reach, the nearer one is hit", () => {
  expect(editHitOf(draft, { scale: 0.1, left: 0, top: 0 }, [9, 9], mouse)).toEqual({
    on: "corner",
    corner: { ring: 0, index: 2 },
  });
});

test("an edge is hit at its nearest point, a hole's edge too", () => {
  expect(editHitOf(draft, view, at([30, 0], 0, -5), mouse)).toEqual({
    on: "edge",
    after: { ring: 0, index: 0 },
    at: [30, 0],
  });
  expect(editHitOf(draft, view, at([40, 52], -4), mouse)).toEqual({
    on: "edge",
    after: { ring: 1, index: 3 },
    at: [40, 52],
  });
});

test("the closing edge is hit, besides that of an unfinished drawing", () => {
  const place = at([0, 30]);

  expect(editHitOf(draft, view, place, mouse)).toMatchObject({ on: "edge", after: { ring: 0, index: 3 } });
  expect(editHitOf({ rings: [square], isOpen: true }, view, place, mouse)).toEqual({ on: "nothing" });
});

test("the handle in the middle of an edge is as large as a corner for a finger", () => {
  expect(editHitOf(draft, view, at([50, 0], 0, -20), reachOf("touch"))).toMatchObject({ on: "edge", at: [50, 0] });
  expect(editHitOf(draft, view, at([70, 0], 0, -20), reachOf("touch"))).toEqual({ on: "nothing" });
  expect(handlesOf(draft, view)).toHaveLength(4);
});

test("inside is within the exterior and in no hole", () => {
  expect(editHitOf(draft, view, at([20, 20]), mouse)).toEqual({ on: "inside" });
  expect(editHitOf(draft, view, at([50, 50]), mouse)).toEqual({ on: "nothing" });
});

test("nothing is hit where nothing has been drawn", () => {
  expect(editHitOf({ rings: [[]], isOpen: true }, view, [0, 0], mouse)).toEqual({ on: "nothing" });
});
