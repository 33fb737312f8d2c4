import { expect, test } from "vitest";
import { commandOf, type KeyPress, strideOf } from "../../../../../../services/console/picture/edit/keys.ts";
import { digitsAt, pointText, rounded, stepAt } from "../../../../../../services/console/picture/edit/precision.ts";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

test("arrows go, further with Shift, by a pixel with Alt", () => {
  expect(commandOf(press("ArrowUp"))).toEqual({ do: "go", way: [0, -1], pace: "usual" });
  expect(commandOf(press("ArrowRight", { shiftKey: true }))).toMatchObject({ way: [1, 0], pace: "large" });
  expect(commandOf(press("ArrowLeft", { altKey: true }))).toMatchObject({ way: [-1, 0], pace: "fine" });
});

test("Ctrl or Cmd with Z and Y undo and redo, and no other key of the browser is taken", () => {
  expect(commandOf(press("z", { ctrlKey: true }))).toEqual({ do: "undo" });
  expect(commandOf(press("Z", { metaKey: true, shiftKey: true }))).toEqual({ do: "redo" });
  expect(commandOf(press("y", { ctrlKey: true }))).toEqual({ do: "redo" });
  for (const key of ["Tab", "F5", "r", "z"]) expect(commandOf(press(key))).toBeUndefined();
  for (const key of ["f", "n", "p", "ArrowLeft"]) expect(commandOf(press(key, { ctrlKey: true }))).toBeUndefined();
});

test("letters mean the same in both cases", () => {
  expect(commandOf(press("N", { shiftKey: true }))).toEqual({ do: "next" });
});

test("a stride is as long on the screen at every zoom, and at least one step", () => {
  expect(strideOf("usual", 1, 1)).toBe(5);
  expect(strideOf("large", 0.5, 1)).toBe(100);
  expect(strideOf("fine", 0.5, 1)).toBe(1);
  expect(strideOf("usual", 30, 1)).toBe(1);
});

test("coordinates are whole where a pixel of the image is smaller than one of the screen, and finer when magnified", () => {
  expect([0.01, 0.5, 1].map((scale) => digitsAt({ scale, left: 0, top: 0 }))).toEqual([0, 0, 0]);
  expect([1.5, 8, 800].map((scale) => digitsAt({ scale, left: 0, top: 0 }))).toEqual([1, 1, 3]);
  expect(rounded([-0.2, 10.26], 0)).toEqual([0, 10]);
  expect(Object.is(rounded([-0.2, 0], 0)[0], 0)).toBe(true);
  expect(rounded([0.12345, 7], 3)).toEqual([0.123, 7]);
  expect(stepAt(2)).toBe(0.01);
  expect(pointText([0.30000000000000004, 412])).toBe("0.3, 412");
});
