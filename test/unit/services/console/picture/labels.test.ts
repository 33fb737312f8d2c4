import { expect, test } from "vitest";
import { type Label, labelAt, placedLabels } from "../../../../../services/console/picture/labels.ts";

const label = (text: string, x: number, y: number): Label => ({ text, colour: "#000000", at: [x, y] });
const widthOf = (text: string) => text.length * 10;

test("a label lies above the corner that it names", () => {
  expect(placedLabels([label("ab", 100, 50)], widthOf)).toMatchObject([{ box: [100, 34, 128, 50] }]);
});

test("of two labels that would cover each other, the first stays", () => {
  const placed = placedLabels([label("first", 0, 50), label("second", 30, 55), label("third", 300, 50)], widthOf);

  expect(placed.map(({ text }) => text)).toEqual(["first", "third"]);
});

test("a long label keeps off those at its far end", () => {
  const placed = placedLabels([label("a", 400, 50), label("a".repeat(50), 0, 50)], widthOf);

  expect(placed.map(({ text }) => text)).toEqual(["a"]);
});

test("no more than 150 labels are placed", () => {
  const all = Array.from({ length: 1_000 }, (_, i) => label("a", (i % 40) * 40, Math.floor(i / 40) * 40));

  expect(placedLabels(all, widthOf)).toHaveLength(150);
});

test("a point of a label finds what it names", () => {
  const labels = placedLabels([{ id: "a", text: "person", colour: "#000", at: [100, 100] }], () => 40);

  expect(labelAt(labels, [110, 90])?.id).toBe("a");
  expect(labelAt(labels, [110, 101])).toBeUndefined();
});
