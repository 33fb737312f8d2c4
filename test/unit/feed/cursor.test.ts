import { expect, test } from "vitest";
import type { FeedMessage } from "../../../projections/feed/kind.ts";
import { cursorAfter, formatCursor, parseCursor } from "../../../services/api/feed/cursor.ts";

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const message = (kind: string, index: number) => ({ kind, index }) as FeedMessage;

test("a cursor reads as it was written", () => {
  const next = [5, 0, 9_007_199_254_740_991];

  expect(parseCursor(formatCursor("camera-log", next, 0, 0), "camera-log")).toEqual({
    topic: "camera-log",
    next,
    partition: 0,
    skip: 0,
  });
  expect(parseCursor(formatCursor("zone-intersections", next, 2, 7), "zone-intersections")).toMatchObject({
    partition: 2,
    skip: 7,
  });
});

test("after the last message of its kind the next offset is wanted, before it the rest of the same", () => {
  const messages = [message("tracks", 0), message("detectionActivity", 0), message("tracks", 3)];
  const entry = { partition: 1, offset: 40, bytes: 0, messages };
  const placeAfter = (i: number) =>
    parseCursor(cursorAfter("camera-log", [7, 38], entry, messages[i] ?? message("tracks", 9)), "camera-log");

  expect(placeAfter(0)).toMatchObject({ next: [7, 40], partition: 1, skip: 1 });
  expect(placeAfter(1)).toMatchObject({ next: [7, 41], skip: 0 });
  expect(placeAfter(2)).toMatchObject({ next: [7, 41], skip: 0 });
});

test.for([
  ["nothing", undefined],
  ["a number", 5],
  ["no JSON", "nonsense"],
  ["another topic", encoded(["zones", [1]])],
  ["no offsets", encoded(["camera-log", []])],
  ["a negative offset", encoded(["camera-log", [-1]])],
  ["a text for an offset", encoded(["camera-log", ["1"]])],
  ["a partition beyond the offsets", encoded(["camera-log", [1], 1, 1])],
  ["too much", encoded(["camera-log", Array.from({ length: 10_000 }, () => 1)])],
] as const)("%s is no cursor", ([, cursor]) => {
  expect(() => parseCursor(cursor, "camera-log")).toThrow("not one of this subscription");
});
