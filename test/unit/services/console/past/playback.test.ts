import { expect, test } from "vitest";
import { momentAfter, nextLoad } from "../../../../../services/console/past/playback.ts";

const state = { at: 0, speed: 1, loadedUntil: 0, page: undefined, stillTookMs: 200 };

test("the clock runs at its speed, up to the present", () => {
  expect(momentAfter(1_000, 16, 64, 1e9)).toBe(1_000 + 16 * 64);
  expect(momentAfter(1_000, 500, 64, 2_000)).toBe(2_000);
});

test("a tab that was hidden for an hour does not skip it", () => {
  expect(momentAfter(0, 3_600_000, 1, 1e9)).toBe(1_000);
});

test("the first load is a page", () => {
  expect(nextLoad(state)).toEqual({ kind: "page" });
});

test("nothing is loaded while three seconds of the wall are ahead", () => {
  expect(nextLoad({ ...state, loadedUntil: 3_000 })).toEqual({ kind: "nothing" });
  expect(nextLoad({ ...state, speed: 2, loadedUntil: 3_000 })).toEqual({ kind: "page" });
});

test("pages go on while they come faster than they are played", () => {
  const page = { coversMs: 8_000, tookMs: 500 };

  expect(nextLoad({ ...state, speed: 16, page })).toEqual({ kind: "page" });
  expect(nextLoad({ ...state, speed: 17, page }).kind).toBe("still");
});

test("a frame with more boxes than a page has is shown as a picture of a moment", () => {
  expect(nextLoad({ ...state, page: { coversMs: 0, tookMs: 300 } }).kind).toBe("still");
});

test("a picture of a moment comes before its moment is over", () => {
  const page = { coversMs: 0, tookMs: 300 };

  expect(nextLoad({ ...state, at: 50_000, speed: 64, page })).toEqual({ kind: "still", at: 50_000 + 200 * 64 });
});

test("several pictures are on their way, at different moments", () => {
  const page = { coversMs: 0, tookMs: 300 };

  expect(nextLoad({ ...state, speed: 10, loadedUntil: 20_000, page, stillTookMs: 300 })).toEqual({
    kind: "still",
    at: 20_000 + 100 * 10,
  });
});

test("a playback that lags far behind drops what is between", () => {
  expect(nextLoad({ ...state, at: 60_000, page: { coversMs: 9_000, tookMs: 100 } })).toEqual({
    kind: "still",
    at: 60_200,
  });
});
