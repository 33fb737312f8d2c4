import { expect, test } from "vitest";
import { lastHour, occupancyOf, startsOf } from "../../../../../services/console/data/minutes.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-01-01T12:00:00Z");
const timeOf = (minute: number) => new Date(START + minute * MINUTE).toISOString();

test("minutes without a bucket are 0, and the zone with the most stays is first", () => {
  const buckets = [
    { total: 1, key: { time: timeOf(0), zoneName: "Lane" } },
    { total: 2, key: { time: timeOf(2), zoneName: "Door" } },
  ];

  const { times, lines } = occupancyOf(buckets, START, START + 2.5 * MINUTE);

  expect(times).toEqual([START, START + MINUTE, START + 2 * MINUTE]);
  expect(lines).toEqual([
    { name: "Door", values: [0, 0, 2] },
    { name: "Lane", values: [1, 0, 0] },
  ]);
});

test("a bucket that begins before the range is left out", () => {
  const { lines } = occupancyOf([{ total: 7, key: { time: timeOf(-1), zoneName: "Door" } }], START, START + MINUTE);

  expect(lines).toEqual([{ name: "Door", values: [0] }]);
});

test("each camera has its own minutes", () => {
  const buckets = [
    { total: 3, key: { time: timeOf(59), dataSource: { id: "a" } } },
    { total: 4, key: { time: timeOf(0), dataSource: null } },
  ];

  const starts = startsOf(["a", "b"], buckets, START);

  expect(starts.get("a")?.at(-1)).toBe(3);
  expect(starts.get("b")).toEqual(new Array(60).fill(0));
});

test("the last hour has 60 minutes, and the present one is the last", () => {
  const { startMs, endMs } = lastHour(START + 30_000);

  expect([startMs, endMs]).toEqual([START - 59 * MINUTE, START + 30_000]);
});
