import { expect, test } from "vitest";
import {
  beginEditing,
  cornerBeside,
  type EditAction,
  type Editing,
  edit,
  NEW_DRAFT,
} from "../../../../../../services/console/picture/edit/draft.ts";
import type { Ring } from "../../../../../../services/console/picture/view.ts";

const square: Ring = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];
const hole: Ring = [
  [4, 4],
  [6, 4],
  [4, 6],
];

const after = (state: Editing, ...actions: EditAction[]): Editing => actions.reduce(edit, state);
const ofSquare = beginEditing({ rings: [square, hole], isOpen: false });
const drawn = after(
  beginEditing(NEW_DRAFT),
  { type: "add", at: [0, 0] },
  { type: "add", at: [10, 0] },
  { type: "add", at: [5, 8] },
);

test("a zone is drawn by its corners and finished", () => {
  expect(drawn.draft).toEqual({
    rings: [
      [
        [0, 0],
        [10, 0],
        [5, 8],
      ],
    ],
    isOpen: true,
  });
  expect(drawn.chosen).toEqual({ ring: 0, index: 2 });
  expect(edit(drawn, { type: "finish" }).draft.isOpen).toBe(false);
});

test("a drawing with two corners is not finished", () => {
  const two = edit(drawn, { type: "undo" });

  expect(edit(two, { type: "finish" })).toBe(two);
});

test("corners move, come between others and go; holes stay", () => {
  const state = after(
    ofSquare,
    { type: "move", corner: { ring: 0, index: 2 }, to: [12, 11] },
    { type: "insert", after: { ring: 0, index: 3 }, at: [-2, 5] },
    { type: "remove", corner: { ring: 0, index: 1 } },
  );

  expect(state.draft.rings).toEqual([
    [
      [0, 0],
      [12, 11],
      [0, 10],
      [-2, 5],
    ],
    hole,
  ]);
  expect(state.chosen).toEqual({ ring: 0, index: 0 });
});

test("the whole zone moves with its holes", () => {
  expect(edit(ofSquare, { type: "shift", by: [1, -2] }).draft.rings[1]).toEqual([
    [5, 2],
    [7, 2],
    [5, 4],
  ]);
});

test("the exterior keeps three corners, and a hole without its third corner is gone", () => {
  const triangle = edit(ofSquare, { type: "remove", corner: { ring: 0, index: 0 } });

  expect(edit(triangle, { type: "remove", corner: { ring: 0, index: 0 } })).toBe(triangle);
  expect(edit(triangle, { type: "remove", corner: { ring: 1, index: 2 } }).draft.rings).toHaveLength(1);
});

test("undo leads back through all steps to the beginning, redo to the end, and a change ends the redoing", () => {
  const state = after(ofSquare, { type: "shift", by: [1, 0] }, { type: "shift", by: [0, 1] });
  const back = after(state, { type: "undo" }, { type: "undo" });

  expect(back.draft).toEqual(ofSquare.draft);
  expect(edit(back, { type: "undo" })).toBe(back);
  expect(after(back, { type: "redo" }, { type: "redo" }, { type: "redo" }).draft).toEqual(state.draft);
  expect(after(back, { type: "shift", by: [5, 5] }, { type: "redo" }).draft.rings[0]?.[0]).toEqual([5, 5]);
});

test("all changes of one gesture are one step", () => {
  const corner = { ring: 0, index: 0 };
  const state = after(
    ofSquare,
    { type: "move", corner, to: [1, 1], gesture: 1 },
    { type: "move", corner, to: [2, 2], gesture: 1 },
    { type: "move", corner, to: [3, 3], gesture: 2 },
  );

  expect(edit(state, { type: "undo" }).draft.rings[0]?.[0]).toEqual([2, 2]);
  expect(after(state, { type: "undo" }, { type: "undo" }).draft.rings[0]?.[0]).toEqual([0, 0]);
});

test("an undo within a gesture is not joined with what follows", () => {
  const corner = { ring: 0, index: 0 };
  const state = after(
    ofSquare,
    { type: "move", corner, to: [1, 1], gesture: 1 },
    { type: "undo" },
    { type: "move", corner, to: [2, 2], gesture: 1 },
    { type: "undo" },
  );

  expect(state.draft).toEqual(ofSquare.draft);
});

test("a change that changes nothing is no step", () => {
  expect(edit(ofSquare, { type: "move", corner: { ring: 0, index: 1 }, to: [10, 0] })).toBe(ofSquare);
  expect(edit(ofSquare, { type: "shift", by: [0, 0] })).toBe(ofSquare);
  expect(edit(ofSquare, { type: "remove", corner: { ring: 4, index: 1 } })).toBe(ofSquare);
});

test("a corner that an undo takes away is chosen no longer", () => {
  expect(edit(drawn, { type: "undo" }).chosen).toBeUndefined();
});

test("the corner beside is the next in the order of the rings, around the end", () => {
  const { draft } = ofSquare;

  expect(cornerBeside(draft, undefined, 1)).toEqual({ ring: 0, index: 0 });
  expect(cornerBeside(draft, { ring: 0, index: 3 }, 1)).toEqual({ ring: 1, index: 0 });
  expect(cornerBeside(draft, { ring: 0, index: 0 }, -1)).toEqual({ ring: 1, index: 2 });
  expect(cornerBeside(NEW_DRAFT, undefined, 1)).toBeUndefined();
});

test("the history is bounded", () => {
  let state = ofSquare;
  for (let i = 0; i < 2_000; i++) state = edit(state, { type: "shift", by: [1, 0] });

  expect(state.past.length).toBe(500);
});
