import { expect, test } from "vitest";
import { expectedIntersections, type OracleDetection, type OracleInput } from "../../../../support/oracles/oracle.ts";

const zone = { zoneId: "z", rings: [box(0, 100)] };

function box(left: number, right: number): [number, number][] {
  return [
    [left, 0],
    [right, 0],
    [right, 10],
    [left, 10],
    [left, 0],
  ];
}

/** A box ten wide at `left`; the zone spans 0 to 100. */
const seen = (timestamp: number, left: number, trackId = "t"): OracleDetection => ({
  trackId,
  timestamp,
  ring: box(left, left + 10),
});

const IN = 50;
const OUT = 500;

const staysOf = (detections: readonly OracleDetection[], more: Partial<OracleInput> = {}) =>
  expectedIntersections({ detections, zones: [zone], ...more }).map(({ startTime, endTime }) => [startTime, endTime]);

test("a stay runs from the first detection inside to the first outside", () => {
  expect(staysOf([seen(0, OUT), seen(1, IN), seen(2, IN), seen(3, OUT), seen(4, OUT)])).toEqual([[1, 3]]);
});

test("coming back is a new stay", () => {
  expect(staysOf([seen(0, IN), seen(1, OUT), seen(2, IN), seen(3, OUT)])).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test("touching is not inside", () => {
  expect(staysOf([seen(0, 100), seen(1, -10), seen(2, 99.999), seen(3, OUT)])).toEqual([[2, 3]]);
});

test("without a detection outside, a stay ends with the last detection when the track expires", () => {
  expect(staysOf([seen(0, OUT), seen(1, IN), seen(2, IN)])).toEqual([[1, 2]]);
});

test("a single detection inside gives a stay without length", () => {
  expect(staysOf([seen(7, IN)])).toEqual([[7, 7]]);
});

test("an explicit end closes a stay that lasts to it", () => {
  const endTimes = new Map([["t", 9]]);
  expect(staysOf([seen(1, IN), seen(2, IN)], { endTimes })).toEqual([[1, 9]]);
  expect(staysOf([seen(1, IN), seen(2, OUT)], { endTimes })).toEqual([[1, 2]]);
});

test("a gap of more than the TTL ends a stay at the last detection before it", () => {
  expect(staysOf([seen(0, IN), seen(5, IN), seen(15_006, IN), seen(15_010, OUT)])).toEqual([
    [0, 5],
    [15_006, 15_010],
  ]);
});

test("a gap of exactly the TTL does not", () => {
  expect(staysOf([seen(0, IN), seen(5, IN), seen(15_005, IN), seen(15_010, OUT)])).toEqual([[0, 15_010]]);
});

test("a track seen within the TTL is still open", () => {
  expect(staysOf([seen(1, IN)], { until: 15_001 })).toEqual([[1, null]]);
  expect(staysOf([seen(1, IN)], { until: 15_002 })).toEqual([[1, 1]]);
});

test("order of arrival does not matter, and of duplicates the first counts", () => {
  expect(staysOf([seen(3, OUT), seen(1, IN), seen(2, IN), seen(2, OUT), seen(0, OUT)])).toEqual([[1, 3]]);
});

test("a box without area counts by its centre", () => {
  expect(staysOf([{ ...seen(1, IN), ring: [[50, 5], [50, 5], [50, 5], [50, 5]] }])).toEqual([[1, 1]]); // biome-ignore format: one ring
  expect(staysOf([{ ...seen(1, IN), ring: [[500, 5], [500, 5], [500, 5], [500, 5]] }])).toEqual([]); // biome-ignore format: one ring
});

test("tracks and zones are judged by themselves", () => {
  const other = { zoneId: "other", rings: [box(400, 600)] };

  expect(
    expectedIntersections({ detections: [seen(0, IN), seen(1, OUT), seen(1, IN, "u")], zones: [zone, other] }),
  ).toEqual([
    { trackId: "t", zoneId: "other", startTime: 1, endTime: 1 },
    { trackId: "t", zoneId: "z", startTime: 0, endTime: 1 },
    { trackId: "u", zoneId: "z", startTime: 1, endTime: 1 },
  ]);
});
