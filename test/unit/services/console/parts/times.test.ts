import { expect, test } from "vitest";
import { createTimes, fractionText, wordsOfClock } from "../../../../../services/console/parts/times.ts";

test("a short time has the date when it is another day, in the chosen zone", () => {
  const times = createTimes("Europe/Berlin");
  const at = Date.parse("2026-11-24T22:30:07Z");

  expect(times.short(at, Date.parse("2026-11-24T00:00:00Z"))).toBe("23:30:07");
  expect(times.short(at, Date.parse("2026-11-24T23:30:00Z"))).toBe("2026-11-24 23:30:07");
});

test("the part of a second is shown when there is one", () => {
  const at = Date.parse("2026-11-24T13:15:02.038Z");

  expect([fractionText(at), fractionText(at - 38), fractionText(at + 0.25)]).toEqual([".038", "", ".038"]);
});

test("a short time without a day has the date unless it is today", () => {
  const times = createTimes("UTC");

  expect(times.short(0)).toBe("1970-01-01 00:00:00");
});

test("the words of a wrong clock stay the same while answers make it known better", () => {
  const words = (differenceMs: number) => wordsOfClock({ isViewerWrong: true, differenceMs });

  expect(words(-25_199_610)).toBe(words(-25_200_000));
  expect(words(-25_200_000)).toContain("7 h ahead of");
  expect(words(201_000)).toContain("3 min 20 s behind");
  expect(wordsOfClock({ isViewerWrong: false, differenceMs: 0 })).toBeUndefined();
});
