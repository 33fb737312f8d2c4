import { expect, test } from "vitest";
import { bucketSize } from "../../../../../services/console/questions/bucket-size.ts";

const HOUR = 3_600_000;
const last = (ms: number) => ({ from: 0, to: ms, isMoment: false });

test.each([
  [HOUR, "MINUTES"],
  [6 * HOUR, "MINUTES_10"],
  [24 * HOUR, "MINUTES_30"],
  [72 * HOUR, "HOURS"],
  [720 * HOUR, "DAYS"],
  [80_000 * HOUR, "DAYS"],
])("%s ms have buckets that are easy to tell apart", (ms, size) => {
  expect(bucketSize("", last(ms))).toBe(size);
});

test("a size that the user chose counts, and so does none", () => {
  expect(bucketSize("DAYS", last(HOUR))).toBe("DAYS");
  expect(bucketSize("none", last(HOUR))).toBe("");
  expect(bucketSize("CENTURIES", last(HOUR))).toBe("MINUTES");
});
