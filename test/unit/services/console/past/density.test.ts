import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../schemas/units.ts";
import { barsPath, bucketSizeOf, countIn, slicesOf } from "../../../../../services/console/past/density.ts";
import { WEEK_MS } from "../../../../../services/console/past/scale.ts";

const range = { from: 0, to: 4 * MINUTE_MS };
const density = (...counts: number[]) => ({
  bucketMs: MINUTE_MS,
  buckets: counts.map((count, i) => ({ from: i * MINUTE_MS, count })),
});

test.each([
  ["MINUTES", HOUR_MS],
  ["MINUTES_10", DAY_MS],
  ["HOURS", WEEK_MS],
  ["DAYS", WEEK_MS + 1],
  ["DAYS", 366 * DAY_MS],
])("buckets are %s in a range of %i ms, and few", (name, length) => {
  const size = bucketSizeOf({ from: 0, to: length });

  expect(size.name).toBe(name);
  expect(length / size.ms).toBeLessThanOrEqual(370);
});

test("a bar has the place of its bucket, and a bucket without detections has none", () => {
  expect(barsPath(density(0, 4, 0, 1), range)).toBe("M250 100V0H500V100ZM750 100V50H1000V100Z");
});

test("the first bucket may begin before the range, and none is drawn outside of it", () => {
  expect(barsPath(density(1, 0, 0, 0, 0, 1), { from: MINUTE_MS / 2, to: MINUTE_MS * 4.5 })).toBe("M0 100V0H125V100Z");
});

test("an empty history has no bars and no slices", () => {
  expect(barsPath(density(), range)).toBe("");
  expect(slicesOf(density(0, 0), range, 4)).toEqual([]);
  expect(countIn(density(0, 0))).toBe(0);
});

test("slices hold equally many detections, so a busy minute has more of them", () => {
  expect(slicesOf(density(0, 30, 0, 10), range, 4)).toEqual([
    { from: MINUTE_MS, to: MINUTE_MS + 20_000 - 1 },
    { from: MINUTE_MS + 20_000, to: MINUTE_MS + 40_000 - 1 },
    { from: MINUTE_MS + 40_000, to: 3 * MINUTE_MS - 1 },
    { from: 3 * MINUTE_MS, to: range.to },
  ]);
});

test("slices do not overlap, and together have every bucket with detections", () => {
  const slices = slicesOf(density(7, 0, 1, 900), range, 20);

  expect(slices[0]?.from).toBe(0);
  expect(slices.at(-1)?.to).toBe(range.to);
  expect(slices.every(({ from, to }) => from <= to)).toBe(true);
  expect(slices.slice(1).every(({ from }, i) => from === (slices[i]?.to ?? 0) + 1)).toBe(true);
});
