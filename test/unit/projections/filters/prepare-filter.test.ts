import { expect, test } from "vitest";
import { shapeOfPolygon } from "../../../../projections/filters/kinds/point.ts";
import { prepareFilter } from "../../../../projections/filters/prepare.ts";
import type { DetectionFilter, GeoJSONPolygonInput } from "../../../../schemas/filters.ts";
import { createWalk } from "../../../../services/api/read/walks.ts";
import { createLoopTurns } from "../../../../services/common/loop-turns.ts";

/** Preparing it takes all of a turn. */
const CORNERS = 1_000;

function circle(): GeoJSONPolygonInput {
  const corners = Array.from({ length: CORNERS }, (_, i) => (2 * Math.PI * i) / CORNERS);
  const ring = corners.map((angle) => [Math.cos(angle), Math.sin(angle)]);
  return { type: "Polygon", coordinates: [[...ring, ring[0] ?? []]] };
}

function counting() {
  let spent = 0;
  const spend = (tests: number) => {
    spent += tests;
  };
  return { walk: createWalk(createLoopTurns(), { spend, isOver: () => false }), spent: () => spent };
}

/** How many turns of the event loop others have had until it is done. */
async function turnsWithin(work: Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

test("each large polygon of a filter is prepared in a turn of its own, wherever it is in the filter", async () => {
  const [a, b, c, d] = [circle(), circle(), circle(), circle()];
  const filter: DetectionFilter = {
    position: { in: a },
    or: [{ position: { in: b } }, { and: [{ position: { in: c } }] }],
    not: { position: { in: d } },
  };

  expect(await turnsWithin(prepareFilter(filter, counting().walk))).toBeGreaterThanOrEqual(4);
});

test("a polygon of several fields is prepared once", () => {
  const polygon = circle();

  expect(shapeOfPolygon(polygon)).toBe(shapeOfPolygon(polygon));
});

test("what a filter costs grows with its polygons and with its texts", async () => {
  const costOf = async (filter: DetectionFilter) => {
    const { walk, spent } = counting();
    await prepareFilter(filter, walk);
    return spent();
  };
  const polygons = (count: number) => ({ or: Array.from({ length: count }, () => ({ position: { in: circle() } })) });
  const texts = (count: number) => ({ trackId: { in: Array.from({ length: count }, (_, i) => `${i}`.padStart(36)) } });

  expect(await costOf(polygons(10))).toBeGreaterThan(9 * (await costOf(polygons(1))));
  expect(await costOf(texts(10_000))).toBeGreaterThan(9 * (await costOf(texts(1_000))));
});
