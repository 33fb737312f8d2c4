import { expect, test } from "vitest";
import { isoTime } from "../../../schemas/identity.ts";
import { createRandom } from "../projections/live/random-log.ts";

const outermost = [8.64e15, -8.64e15, 253_402_300_800_000, -62_198_755_200_000];

test("times are written as Date writes them", () => {
  const random = createRandom(1);
  const near = Array.from({ length: 2_000 }, () => 1_767_225_600_000 + random() * 200_000 - 100_000);
  const anywhere = Array.from({ length: 2_000 }, () => (random() - 0.5) * 1.7e16);
  // More minutes than are remembered.
  const many = Array.from({ length: 20_000 }, (_, i) => i * 60_001);

  for (const ms of [0, -0, -1, 1.5, -1.5, 59_999, 60_000, -60_000, ...outermost, ...near, ...anywhere, ...many]) {
    expect(isoTime(ms)).toBe(new Date(ms).toISOString());
  }
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])("%d is no time", (ms) => {
  expect(() => isoTime(ms)).toThrow(RangeError);
});
