import { expect, test } from "vitest";
import type { FeedMessage } from "../../../../../projections/feed/kind.ts";
import { cursorAfter, formatCursor, neededOf, parseCursor } from "../../../../../services/api/feed/cursor.ts";

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const message = (kind: string, index: number) => ({ kind, index }) as FeedMessage;

test("a cursor reads as it was written", () => {
  const next = [5, 0, 9_007_199_254_740_991];

  for (const taken of [
    new Map<number, number>(),
    new Map([[2, 7]]),
    new Map([
      [2, 7],
      [0, 1],
    ]),
  ]) {
    const place = { topic: "camera-log", next, taken } as const;
    expect(parseCursor(formatCursor(place), "camera-log")).toEqual(place);
  }
});

test("a cursor of thousands of partitions reads as it was written, the longest offsets and all", () => {
  const next = Array.from({ length: 5_000 }, (_, i) => 9_007_199_254_740_991 - i);
  const place = { topic: "camera-log", next, taken: new Map(next.map((_, i) => [i, 100_000])) } as const;

  expect(parseCursor(formatCursor(place), "camera-log")).toEqual(place);
});

test("the log must have the event of which something was taken, and none where nothing was", () => {
  const needed = (...within: readonly number[]) =>
    neededOf(parseCursor(encoded(["camera-log", [5, 7], ...within]), "camera-log"));

  expect([needed(), needed(1, 0), needed(1, 2), needed(0, 1, 1, 2)]).toEqual([
    [5, 7],
    [5, 7],
    [5, 8],
    [6, 8],
  ]);
});

test("after the last message of its kind the next offset is wanted, before it the rest of the same", () => {
  const messages = [message("tracks", 0), message("detectionActivity", 0), message("tracks", 3)];
  const entry = { partition: 1, offset: 40, bytes: 0, messages };
  let taken = new Map<number, number>();
  const placeAfter = (i: number) =>
    parseCursor(
      cursorAfter({ topic: "camera-log", next: [7, 38], taken }, entry, messages[i] ?? message("tracks", 9)),
      "camera-log",
    );

  for (const others of [[], [[0, 3]]] as const) {
    // The client has already taken one message of the entry, and three or none of the other partition.
    taken = new Map([...others, [1, 1]]);
    expect(placeAfter(0)).toMatchObject({ next: [7, 40], taken: new Map([...others, [1, 1]]) });
    expect(placeAfter(1)).toMatchObject({ next: [7, 41], taken: new Map(others) });
    expect(placeAfter(2)).toMatchObject({ next: [7, 41], taken: new Map(others) });
  }
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
  ["a partition without a number", encoded(["camera-log", [1, 1], 0, 1, 1])],
  ["too much", encoded(["camera-log", Array.from({ length: 400_000 }, () => 1)])],
] as const)("%s is no cursor", ([, cursor]) => {
  expect(() => parseCursor(cursor, "camera-log")).toThrow("not one of this subscription");
});
