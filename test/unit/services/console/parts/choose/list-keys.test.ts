import { expect, test } from "vitest";
import { afterKey, CLOSED_LIST, OPENED_LIST } from "../../../../../../services/console/parts/choose/list-keys.ts";

test("the arrows open the list, and go around in it", () => {
  expect(afterKey("ArrowDown", CLOSED_LIST, 0, false)).toEqual({ list: OPENED_LIST });
  expect(afterKey("ArrowUp", CLOSED_LIST, 3, false)).toBeUndefined();
  let active = -1;
  const places = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"].map((key) => {
    active = afterKey(key, { isOpen: true, active }, 2, false)?.list.active ?? Number.NaN;
    return active;
  });
  expect(places).toEqual([0, 1, 0, 1, 0]);
});

test("no key leads into an empty list", () => {
  for (const key of ["ArrowDown", "ArrowUp"]) expect(afterKey(key, OPENED_LIST, 0, true)?.list.active).toBe(-1);
});

test("enter chooses what the arrows lead to, and nothing when the list has become shorter", () => {
  expect(afterKey("Enter", { isOpen: true, active: 1 }, 2, true)?.isChoice).toBe(true);
  expect(afterKey("Enter", { isOpen: true, active: 2 }, 2, true)?.isChoice).toBeUndefined();
});

test("enter sends the form only from an empty field", () => {
  expect(afterKey("Enter", CLOSED_LIST, 0, false)).toBeUndefined();
  expect(afterKey("Enter", CLOSED_LIST, 0, true)).toEqual({ list: CLOSED_LIST });
});

test("escape closes the list first, and then takes the text away", () => {
  expect(afterKey("Escape", OPENED_LIST, 2, true)).toEqual({ list: CLOSED_LIST });
  expect(afterKey("Escape", CLOSED_LIST, 2, true)).toEqual({ list: CLOSED_LIST, isCleared: true });
  expect(afterKey("Escape", CLOSED_LIST, 2, false)).toBeUndefined();
});

test("letters, Home and End stay with the text", () => {
  for (const key of ["a", "Home", "End", "Tab"]) expect(afterKey(key, OPENED_LIST, 2, true)).toBeUndefined();
});
