import { expect, test } from "vitest";
import { Gesture } from "../../../../../services/console/picture/gesture.ts";
import { fitted, held, pinched, toImage, toScreen, type View } from "../../../../../services/console/picture/view.ts";

const VIEW: View = { scale: 2, left: 10, top: 20 };

test("a point of the screen is that of the image, and back", () => {
  expect(toScreen(VIEW, [5, 5])).toEqual([20, 30]);
  expect(toImage(VIEW, [20, 30])).toEqual([5, 5]);
});

test("what lies below two fingers stays below them", () => {
  const view = pinched(
    VIEW,
    [
      [100, 100],
      [200, 100],
    ],
    [
      [50, 120],
      [250, 120],
    ],
  );

  expect(toScreen(view, toImage(VIEW, [100, 100]))).toEqual([50, 120]);
  expect(toScreen(view, toImage(VIEW, [200, 100]))).toEqual([250, 120]);
});

test("a view is never smaller than the whole, nor without a part of it", () => {
  const all = fitted([0, 0, 100, 100], 200, 200);

  const small = held({ scale: 0.1, left: 0, top: 0 }, all, [0, 0, 100, 100], [200, 200]);
  const far = held({ scale: 4, left: 5_000, top: -5_000 }, all, [0, 0, 100, 100], [200, 200]);

  expect(small.scale).toBe(2);
  expect(far).toEqual({ scale: 4, left: 100, top: -300 });
});

test("a press without a movement is a click, also with a trembling hand", () => {
  const gesture = new Gesture();
  gesture.down(1, [10, 10]);

  expect(gesture.move(1, [12, 11], VIEW)).toBeUndefined();
  expect(gesture.up(1)).toBe(true);
});

test("dragging moves the picture, and is no click", () => {
  const gesture = new Gesture();
  gesture.down(1, [10, 10]);

  expect(gesture.move(1, [30, 10], VIEW)).toEqual({ scale: 2, left: 30, top: 20 });
  expect(gesture.up(1)).toBe(false);
});

test("two fingers zoom, and lifting them is no click", () => {
  const gesture = new Gesture();
  gesture.down(1, [100, 100]);
  gesture.down(2, [200, 100]);

  expect(gesture.move(2, [300, 100], VIEW)?.scale).toBe(4);
  expect([gesture.up(1), gesture.up(2)]).toEqual([false, false]);
});

test("a pointer that was not pressed moves nothing", () => {
  expect(new Gesture().move(7, [30, 10], VIEW)).toBeUndefined();
  expect(new Gesture().up(7)).toBe(false);
});
