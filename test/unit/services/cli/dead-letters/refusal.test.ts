import { expect, test } from "vitest";
import { redriveObstacle } from "../../../../../services/cli/dead-letters/decide-redrive.ts";
import type { LetterHead } from "../../../../../services/recorded/letters.ts";

const destinations = {
  topics: new Map([
    ["north.camera-log", { topic: "camera-log" as const, partitions: 2 }],
    ["north.zone-intersections", { topic: "zone-intersections" as const, partitions: 2 }],
  ]),
};

const head = (changes: Partial<LetterHead> = {}): LetterHead => ({
  id: "north.camera-log/1/7",
  topic: "north.camera-log",
  partition: 1,
  offset: 7,
  reason: "unknown schema id 7",
  recordedAt: 0,
  bytes: 3,
  place: { partition: 0, offset: 0 },
  redriven: undefined,
  ...changes,
});

const redriven = { id: "north.camera-log/1/7", redrivenAt: 0, topic: "north.camera-log", partition: 1, offset: 9 };

test.each([
  ["a topic of another namespace", { topic: "camera-log" }, /none that the projector of this namespace reads/],
  ["another topic of the namespace", { topic: "north.zones" }, /none that the projector of this namespace reads/],
  ["a partition beyond the last", { partition: 2 }, /has no partition 2/],
  ["a partition below the first", { partition: -1 }, /has no partition -1/],
  ["a value left in its topic", { bytes: null }, /left in its topic/],
  ["a letter that was redriven", { redriven }, /already redriven at 1970-01-01T00:00:00.000Z/],
])("%s is refused", (_, changes, reason) => {
  expect(redriveObstacle(head(changes), destinations, false)).toMatch(reason);
});

test("an open letter of either topic is not refused, however short, nor is a redriven one that is asked for again", () => {
  expect(redriveObstacle(head(), destinations, false)).toBeUndefined();
  expect(redriveObstacle(head({ topic: "north.zone-intersections", bytes: 0 }), destinations, false)).toBeUndefined();
  expect(redriveObstacle(head({ redriven }), destinations, true)).toBeUndefined();
});
