import { expect, test } from "vitest";
import { answerLanes, roundTimes, timeOfRows } from "../../../../../services/console/questions/lanes.ts";
import type { AnswerRow } from "../../../../../services/console/questions/question.ts";

const stay = (zone: string, from: number, to: number | null): AnswerRow => ({
  id: `${zone} ${from}`,
  cells: [zone],
  links: [],
  span: { from, to, tag: "person" },
});
const shown = { from: 0, to: 100 };

test("bars lie on as many lines as overlap at a time", () => {
  const [lane] = answerLanes([stay("door", 0, 50), stay("door", 20, 60), stay("door", 70, 80)], 0, shown);

  expect(lane?.levels).toBe(2);
  expect(lane?.bars.map(({ left, right, level }) => [left, right, level])).toEqual([
    [0, 0.5, 0],
    [0.2, 0.6, 1],
    [0.7, 0.8, 0],
  ]);
});

test("lanes are sorted by their names, numbers in them by their values", () => {
  const lanes = answerLanes([stay("zone 10", 0, 1), stay("zone 9", 0, 1), stay("zone 10", 5, 6)], 0, shown);

  expect(lanes.map(({ name, bars }) => [name, bars.length])).toEqual([
    ["zone 9", 1],
    ["zone 10", 2],
  ]);
});

test("a name has one lane, in any case", () => {
  const lanes = answerLanes([stay("Person", 0, 1), stay("person", 5, 6)], 0, shown);

  expect(lanes.map(({ name, bars }) => [name, bars.length])).toEqual([["Person", 2]]);
});

test("a bar is cut at the ends of what is shown, and says that it goes on", () => {
  const [lane] = answerLanes([stay("door", -50, 50), stay("door", 60, 200), stay("door", 90, null)], 0, shown);

  expect(lane?.bars.map(({ left, right, isOpen }) => [left, right, isOpen])).toEqual([
    [0, 0.5, false],
    [0.6, 1, true],
    [0.9, 1, true],
  ]);
});

test("what is outside is not shown", () => {
  expect(answerLanes([stay("door", 200, 300), stay("door", -20, -10)], 0, shown)).toEqual([]);
});

test("more bars than lines lie on the last line", () => {
  const [lane] = answerLanes(
    Array.from({ length: 100 }, (_, i) => stay("door", i / 10, 90)),
    0,
    shown,
  );

  expect(lane?.levels).toBe(12);
  expect(lane?.bars).toHaveLength(100);
});

test("the time of all rows reaches to now while one has not ended", () => {
  expect(timeOfRows([stay("door", 1_000, 5_000), stay("door", 3_000, null)], 9_000)).toEqual({
    from: 1_000,
    to: 9_000,
  });
  expect(timeOfRows([], 9_000)).toBeUndefined();
});

test("marks are round times of the zone", () => {
  const hour = 3_600_000;

  expect(roundTimes({ from: 1_000, to: 4 * hour }, 8, 0)).toEqual(
    [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4].map((h) => h * hour),
  );
  expect(roundTimes({ from: 0, to: 48 * hour }, 2, 2 * hour)).toEqual([22 * hour, 46 * hour]);
  expect(roundTimes({ from: 0, to: 40 * 365 * 24 * hour }, 8, 0).length).toBeLessThan(9);
});
