import { expect, test } from "vitest";
import { foldIntersection } from "../../../projections/feed/fold-intersections.ts";
import { at, change } from "../../support/feed-events.ts";

const cause = (partition: number, offset: number, index: number) => ({ cause: { partition, offset, index } });

test("outputs whose cause is not beyond the last one of the partition are dropped", () => {
  const causes = new Map();
  const give = (partition: number, offset: number, index: number) =>
    foldIntersection(causes, change("UPDATE", 0, cause(partition, offset, index))).length;

  expect([give(0, 5, 0), give(0, 5, 1), give(0, 5, 1), give(0, 5, 0), give(0, 4, 9), give(0, 6, 0)]).toEqual([
    1, 1, 0, 0, 0, 1,
  ]);
  expect(give(1, 1, 0)).toBe(1);
});

test("endTime comes with END only", () => {
  const told = (["START", "UPDATE", "END"] as const).flatMap((state, offset) =>
    foldIntersection(new Map(), change(state, offset, { endTime: at(7) })),
  );

  expect(told.map(({ intersection }) => intersection.endTime)).toEqual([null, null, at(7)]);
});
