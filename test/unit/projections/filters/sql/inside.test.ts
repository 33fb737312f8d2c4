import { expect, test } from "vitest";
import { inside, shapeOf } from "../../../../../projections/filters/sql/inside.ts";
import type { Params } from "../../../../../projections/filters/sql/sql.ts";
import { flawOfRings } from "../../../../../projections/geometry/rings.ts";

/** Teeth that lead from one side of the box to the other. */
function comb(teeth: number): [number, number][] {
  const ends = Array.from({ length: teeth }, (_, i): [number, number][] => [
    [100, 2 * i],
    [100, 2 * i + 1],
    [1, 2 * i + 1],
    [1, 2 * i + 2],
  ]);
  return [[0, 0], ...ends.flat(), [0, 2 * teeth], [0, 0]];
}

test("a comb whose edges span its box binds each of them twice at most", () => {
  const ring = comb(2_495);
  expect(flawOfRings([ring.flat()])).toBeUndefined();
  let bound = 0;
  const bindTuples = (_type: string, tuples: readonly unknown[]) => {
    bound += tuples.length;
    return "t";
  };
  const params: Params = { bind: () => "b", bindList: () => "l", bindTuples, bindRings: () => "r", values: {} };

  inside(params, shapeOf([ring]), { x: "x", y: "y" });

  expect(bound).toBeGreaterThanOrEqual(ring.length - 1);
  expect(bound).toBeLessThanOrEqual(2 * ring.length);
});
