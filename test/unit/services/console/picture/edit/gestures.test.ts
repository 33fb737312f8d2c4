import { expect, test } from "vitest";
import {
  beginEditing,
  type EditAction,
  type Editing,
  edit,
  NEW_DRAFT,
} from "../../../../../../services/console/picture/edit/draft.ts";
import {
  dragged,
  givenUp,
  type PointerPlace,
  pressed,
  released,
} from "../../../../../../services/console/picture/edit/gestures.ts";
import type { Point } from "../../../../../../services/console/picture/view.ts";

const view = { scale: 1, left: 0, top: 0 };
const place = (...at: Point): PointerPlace => ({ screen: at, image: at, kind: "mouse" });

let gestures = 0;

/** Presses at the first place, moves over the others, and releases. */
function stroke(state: Editing, from: Point, ...way: Point[]): Editing {
  const apply = (now: Editing, actions: readonly EditAction[]) => actions.reduce(edit, now);
  const begun = pressed(state, view, place(...from), ++gestures);
  let now = apply(state, begun.actions);
  let { press } = begun;
  for (const to of way) {
    if (press === undefined) return now;
    const next = dragged(press, place(...to));
    now = apply(now, next.actions);
    press = next.press;
  }
  return press === undefined ? now : apply(now, released(press));
}

const drawn = (
  [
    [0, 0],
    [100, 0],
    [100, 100],
  ] as const
).reduce<Editing>((state, at) => stroke(state, at), beginEditing(NEW_DRAFT));
const triangle = edit(drawn, { type: "finish" });

test("clicks draw corners, and a click on the first one finishes", () => {
  expect(drawn.draft).toEqual({
    rings: [
      [
        [0, 0],
        [100, 0],
        [100, 100],
      ],
    ],
    isOpen: true,
  });
  expect(stroke(drawn, [3, 4]).draft).toEqual(triangle.draft);
});

test("a double click finishes: its second press is on the corner that the first one drew", () => {
  const state = stroke(stroke(drawn, [0, 100]), [0, 100]);

  expect(state.draft).toMatchObject({ isOpen: false });
  expect(state.draft.rings[0]).toHaveLength(4);
});

test("two corners are not finished by a click on the first", () => {
  const two = edit(drawn, { type: "undo" });

  expect(stroke(two, [0, 0]).draft).toEqual(two.draft);
});

test("a corner follows the pointer and keeps its distance to it, as one step", () => {
  const state = stroke(triangle, [103, 2], [110, 5], [120, 30]);

  expect(state.draft.rings[0]?.[1]).toEqual([117, 28]);
  expect(edit(state, { type: "undo" }).draft).toEqual(triangle.draft);
});

test("a hand that is not still moves nothing", () => {
  expect(stroke(triangle, [100, 0], [102, 1]).draft).toBe(triangle.draft);
});

test("a corner is pulled out of an edge, as one step", () => {
  const state = stroke(triangle, [50, 0], [50, -10], [52, -40]);

  expect(state.draft.rings[0]).toEqual([
    [0, 0],
    [52, -40],
    [100, 0],
    [100, 100],
  ]);
  expect(edit(state, { type: "undo" }).draft).toEqual(triangle.draft);
});

test("the zone is moved by its inside, as one step", () => {
  const state = stroke(triangle, [80, 40], [90, 40], [95, 45]);

  expect(state.draft.rings[0]?.[0]).toEqual([15, 5]);
  expect(edit(state, { type: "undo" }).draft).toEqual(triangle.draft);
});

test("a press beside a finished zone is not taken, and chooses nothing", () => {
  const { press, actions } = pressed(triangle, view, place(300, 300), 1);

  expect(press).toBeUndefined();
  expect(actions.reduce(edit, triangle).chosen).toBeUndefined();
});

test("a press that is given up leaves no corner, and takes no earlier step back", () => {
  const gesture = ++gestures;
  const begun = pressed(drawn, view, place(300, 300), gesture);
  const state = begun.actions.reduce(edit, drawn);
  const onCorner = pressed(drawn, view, place(100, 0), ++gestures);

  expect(begun.press && givenUp(begun.press, state).reduce(edit, state).draft).toEqual(drawn.draft);
  expect(onCorner.press && givenUp(onCorner.press, drawn)).toEqual([]);
});
