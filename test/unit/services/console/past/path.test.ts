import { expect, test } from "vitest";
import {
  ageOfSpot,
  lanesOf,
  neighboursOf,
  partsOf,
  speedsOf,
  spotUntil,
} from "../../../../../services/console/past/path.ts";
import type { Box } from "../../../../../services/console/picture/view.ts";

const boxAt = (x: number): Box => [x - 5, 0, x + 5, 20];
const spot = (at: number, x: number) => ({ at, box: boxAt(x) });

test("a speed is the way of the middle of the box in a second", () => {
  expect(speedsOf([spot(0, 0), spot(500, 50), spot(1_000, 100)], 1)).toEqual([{ at: 500, speed: 100 }]);
});

test("each part of the time has its own mean", () => {
  const speeds = speedsOf([spot(0, 0), spot(900, 90), spot(1_100, 90), spot(2_000, 90)], 2);

  expect(speeds.map(({ speed }) => speed)).toEqual([100, 0]);
});

test("a silence has no speed, and breaks the line", () => {
  const speeds = speedsOf([spot(0, 0), spot(100, 10), spot(9_000, 900), spot(9_100, 910)], 100);

  expect(speeds.map(({ speed }) => speed)).toEqual([100, null, 100]);
});

test("a long track has no more points than asked for, besides its silences", () => {
  const spots = Array.from({ length: 100_000 }, (_, i) => spot(i * 40, i));

  expect(speedsOf(spots, 600).length).toBeLessThanOrEqual(600);
});

test("one detection, or none, has no speed", () => {
  expect(speedsOf([], 10)).toEqual([]);
  expect(speedsOf([spot(0, 0)], 10)).toEqual([]);
});

test.each([
  [-5, 0],
  [0, 0],
  [99, 0],
  [100, 1],
  [199, 1],
  [1_000, 2],
])("at %i ms the last detection is number %i", (at, index) => {
  expect(spotUntil([{ at: 0 }, { at: 100 }, { at: 200 }], at)).toBe(index);
});

test.each([
  [0, 0, undefined],
  [0, 1_000, undefined],
  [0, 5_000, "The box is that of a detection 5 before."],
  [380, 0, "The box is that of its first detection, 380 ms later."],
])("a box of %i ms at the moment %i ms is %s", (spotAt, at, words) => {
  expect(ageOfSpot(spotAt, at, (ms) => String(ms / 1_000))).toBe(words);
});

test("stays are put together by zone, with the time in each", () => {
  const stay = (zoneId: string, since: number, endedAt: number | null) => ({
    zoneId,
    zoneName: zoneId,
    since,
    endedAt,
  });

  const lanes = lanesOf([stay("b", 500, 800), stay("a", 0, 100), stay("b", 200, 300), stay("a", 900, null)], 1_000);

  expect(lanes.map(({ zoneId, totalMs, stays }) => [zoneId, totalMs, stays.length])).toEqual([
    ["a", 200, 2],
    ["b", 400, 2],
  ]);
});

test("neighbours are the nearest tracks", () => {
  const others = [300, -20, 100].map((x) => ({ trackId: `at ${x}`, tag: "person", box: boxAt(x) }));

  expect(neighboursOf(boxAt(0), others, 2).map(({ trackId, distance }) => [trackId, distance])).toEqual([
    ["at -20", 20],
    ["at 100", 100],
  ]);
});

test("parts of a time are equal, touch one another, and are fewer in a very short one", () => {
  expect(partsOf({ from: 0, to: 100 }, 4)).toEqual([
    { from: 0, to: 24 },
    { from: 25, to: 49 },
    { from: 50, to: 74 },
    { from: 75, to: 100 },
  ]);
  expect(partsOf({ from: 7, to: 7 }, 4)).toEqual([{ from: 7, to: 7 }]);
});
