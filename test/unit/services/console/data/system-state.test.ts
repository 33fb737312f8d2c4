import { expect, test } from "vitest";
import { countedOf, lagOf, rateOf } from "../../../../../services/console/data/system-state.ts";

const topic = (written: number) => ({ name: "camera-log", partitions: 12, written, kept: written });

test("a rate is what was written between two answers", () => {
  const [before, after] = [countedOf([topic(100)], 1_000), countedOf([topic(160)], 4_000)];

  expect(rateOf("camera-log", before, after)).toBe(20);
});

test("there is no rate with one answer, for a new topic, and for one that was replaced", () => {
  const after = countedOf([topic(160)], 4_000);

  expect(rateOf("camera-log", undefined, after)).toBeUndefined();
  expect(rateOf("camera-log", countedOf([], 1_000), after)).toBeUndefined();
  expect(rateOf("camera-log", countedOf([topic(500)], 1_000), after)).toBeUndefined();
});

test("the lag of readers is that of all their topics", () => {
  const lags = [
    { topic: "camera-log", messages: 3 },
    { topic: "videos", messages: 4 },
  ];

  expect(lagOf({ name: "projector", processes: [], lags })).toBe(7);
});
