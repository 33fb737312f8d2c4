import { expect, test } from "vitest";
import { matchesAnySeen } from "../../../../projections/filters/kinds/seen.ts";
import {
  addPosition,
  countOf,
  createSeen,
  MAX_POSITIONS_OF_TRACK,
} from "../../../../projections/filters/seen-positions.ts";
import type { FilterPointInput } from "../../../../schemas/filters.ts";

const near = (longitude: number): FilterPointInput => ({
  near: { point: { type: "Point", coordinates: [longitude, 0] }, radius: 1_000 },
});

test("where a track was once it has been ever since, and not before", () => {
  const seen = createSeen([]);
  for (let longitude = 0; longitude < 10; longitude++) addPosition(seen, longitude, 0);
  const filter = near(5);
  const at = (count: number) => matchesAnySeen(filter, { seen, count });

  expect([at(5), at(10), at(6), at(5), at(0)]).toEqual([false, true, true, false, false]);
});

test("what is found of the time before counts, also after the filter was asked", () => {
  const seen = createSeen(undefined);
  addPosition(seen, 1, 0);
  const filter = near(5);
  const soFar = { seen, count: countOf(seen) };

  expect(matchesAnySeen(filter, soFar)).toBe(false);
  expect(matchesAnySeen({ attributeExists: false }, { seen, count: 0 })).toBe(true);
  seen.before = [5, 0];
  expect(matchesAnySeen(filter, soFar)).toBe(true);
  expect(matchesAnySeen({ attributeExists: false }, { seen, count: 0 })).toBe(false);
});

test("of very many positions the newest are kept, and a filter remembers what it found among the others", () => {
  const seen = createSeen([]);
  const early = near(0);
  addPosition(seen, 0, 0);
  expect(matchesAnySeen(early, { seen, count: countOf(seen) })).toBe(true);

  for (let i = 1; i <= MAX_POSITIONS_OF_TRACK; i++) addPosition(seen, 10 + i / MAX_POSITIONS_OF_TRACK, 0);

  const soFar = { seen, count: countOf(seen) };
  expect(soFar.count).toBe(MAX_POSITIONS_OF_TRACK + 1);
  expect(seen.pairs.length).toBeLessThanOrEqual(2 * MAX_POSITIONS_OF_TRACK);
  expect(matchesAnySeen(early, soFar)).toBe(true);
  expect(matchesAnySeen(near(11), soFar)).toBe(true);
  expect(matchesAnySeen(near(0), soFar)).toBe(false);
});
