import { expect, test } from "vitest";
import { formatSummary } from "../../../../../services/cli/import/summary.ts";

const summary = {
  recording: "gate.txt 2026-01-01T00:00:00.000Z",
  tracks: 12,
  detections: 3_456,
  intersections: 78,
  seconds: 2,
  ignored: 0,
  duplicates: 0,
  badLines: 0,
  firstBadLine: undefined,
  zonesCreated: 0,
};

test("the summary has the recording and the five figures of an import", () => {
  expect(formatSummary(summary).split("\n")).toEqual([
    "recording       gate.txt 2026-01-01T00:00:00.000Z",
    "tracks          12",
    "detections      3,456",
    "intersections   78 (of the whole data source in that time)",
    "seconds         2.0",
    "detections/s    1,728",
  ]);
});

test("what was left out is told", () => {
  const text = formatSummary({ ...summary, ignored: 5, duplicates: 1, badLines: 2, firstBadLine: "f, line 9" });

  expect(text).toContain("rows left out   5 (flag 0 or lost)");
  expect(text).toContain("doubled rows    1 (the first was kept)");
  expect(text).toContain("bad lines       2, first f, line 9");
});
