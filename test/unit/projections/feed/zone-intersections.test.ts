import { expect, test } from "vitest";
import { foldIntersection } from "../../../../projections/feed/zone-intersections.ts";
import { LOG_ID, LOST_END, logOf } from "../../../../schemas/headers.ts";
import { at, change } from "../../../support/scenes/feed-events.ts";

const cause = (partition: number, offset: number, index: number) => ({ cause: { partition, offset, index } });

test("outputs whose cause is not beyond the last one of the partition are dropped", () => {
  const causes = new Map();
  const give = (partition: number, offset: number, index: number) =>
    foldIntersection(causes, change("UPDATE", 0, cause(partition, offset, index)), "log").length;

  expect([give(0, 5, 0), give(0, 5, 1), give(0, 5, 1), give(0, 5, 0), give(0, 4, 9), give(0, 6, 0)]).toEqual([
    1, 1, 0, 0, 0, 1,
  ]);
  expect(give(1, 1, 0)).toBe(1);
});

test("a log that took the place of another begins anew, and what names none goes on", () => {
  const causes = new Map();
  const give = (offset: number, logId: string | undefined) =>
    foldIntersection(causes, change("UPDATE", 0, cause(0, offset, 0)), logId).length;

  expect([give(5, undefined), give(6, "old"), give(5, undefined), give(5, "old")]).toEqual([1, 1, 0, 0]);
  expect([give(1, "new"), give(1, "new"), give(6, undefined), give(2, "new")]).toEqual([1, 0, 1, 0]);
});

test("a log that has lost its end gives offsets anew, and outputs of the new ones are told", () => {
  const causes = new Map();
  const give = (offset: number, headers: Record<string, string>) =>
    foldIntersection(causes, change("UPDATE", 0, cause(0, offset, 0)), logOf(headers)).length;
  const before = { [LOG_ID]: "log" };
  const after = { [LOG_ID]: "log", [LOST_END]: "4-7-0" };

  expect([give(5, before), give(9, before), give(5, before)]).toEqual([1, 1, 0]);
  expect([give(4, after), give(5, after), give(4, after), give(6, after)]).toEqual([1, 1, 0, 1]);
});

test("endTime comes with END only", () => {
  const reported = (["START", "UPDATE", "END"] as const).flatMap((state, offset) =>
    foldIntersection(new Map(), change(state, offset, { endTime: at(7) }), "log"),
  );

  expect(reported.map(({ intersection }) => intersection.endTime)).toEqual([null, null, at(7)]);
});
