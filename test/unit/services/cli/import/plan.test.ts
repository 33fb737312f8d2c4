import { describe, expect, test } from "vitest";
import { packDocuments } from "../../../../../services/cli/import/documents.ts";
import type { TrackerRow } from "../../../../../services/cli/import/formats/format.ts";
import {
  frameTime,
  type ImportStep,
  importedTrackId,
  type PlanOptions,
  planSteps,
} from "../../../../../services/cli/import/plan.ts";
import { createRowTable } from "../../../../../services/cli/import/row-table.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const options: PlanOptions = {
  dataSourceId: "cam",
  recording: "day 1",
  start: START,
  baseFrame: 1,
  fps: 10,
  maxDetections: 4,
  maxSpanMs: Number.POSITIVE_INFINITY,
};

function plan(
  rows: readonly (Partial<TrackerRow> & { frame: number; fileId: number })[],
  changes: Partial<PlanOptions> = {},
) {
  const table = createRowTable();
  for (const row of rows) table.add({ left: 1, top: 2, right: 3, bottom: 4, tag: "car", ...row });
  return [...planSteps(table.build(), { ...options, ...changes })];
}

const trackId = (fileId: number) => importedTrackId(options, fileId);

/** `+a@0 a@100,b@100 -a@200`: births, batches and ends, with ms since the start. */
function outline(steps: readonly ImportStep[], names: Record<string, number>): string {
  const nameOf = (id: string) => Object.keys(names).find((name) => trackId(names[name] ?? 0) === id);
  const at = (timestamp: string) => Date.parse(timestamp) - START;
  return steps
    .map(({ mutation }) => {
      if (mutation.field === "createDetections")
        return mutation.input.map((seen) => `${nameOf(seen.trackId)}@${at(seen.timestamp)}`).join(",");
      const sign = mutation.field === "createTrack" ? "+" : "-";
      return mutation.input.detections
        .map((seen) => `${sign}${nameOf(mutation.input.id)}@${at(seen.timestamp)}`)
        .join();
    })
    .join(" ");
}

const frames = (fileId: number, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ frame: from + index, fileId }));

describe("frame times", () => {
  test("each is rounded by itself", () => {
    const at30 = { start: START, baseFrame: 1, fps: 30 };
    expect([1, 2, 3, 4, 301].map((frame) => frameTime(at30, frame) - START)).toEqual([0, 33, 67, 100, 10_000]);
    expect(frameTime({ ...at30, baseFrame: 0 }, 0)).toBe(START);
  });
});

describe("the plan of an import", () => {
  test("first, middle and last detections become createTrack, createDetections and updateTrack", () => {
    expect(outline(plan(frames(1, 1, 4)), { a: 1 })).toBe("+a@0 a@100,a@200 -a@300");
  });

  test("all tracks together stay in time order", () => {
    const steps = plan([...frames(1, 1, 6), ...frames(2, 3, 5)]);

    expect(outline(steps, { a: 1, b: 2 })).toBe("+a@0 a@100 +b@200 a@200,a@300,b@300,a@400 -b@400 -a@500");
  });

  test("a batch holds no more detections than asked for", () => {
    expect(outline(plan(frames(1, 1, 11)), { a: 1 })).toBe(
      "+a@0 a@100,a@200,a@300,a@400 a@500,a@600,a@700,a@800 a@900 -a@1000",
    );
  });

  test("a batch spans no more time than asked for", () => {
    expect(outline(plan(frames(1, 1, 7), { maxSpanMs: 100 }), { a: 1 })).toBe(
      "+a@0 a@100,a@200 a@300,a@400 a@500 -a@600",
    );
  });

  test("a track seen once is created with its end", () => {
    const [step, ...others] = plan([{ frame: 11, fileId: 5, tag: "bus" }]);

    expect(others).toEqual([]);
    expect(step?.mutation).toEqual({
      field: "createTrack",
      input: {
        id: trackId(5),
        dataSourceId: "cam",
        tag: "bus",
        startTime: "2026-01-01T00:00:01.000Z",
        endTime: "2026-01-01T00:00:01.000Z",
        detections: [
          {
            timestamp: "2026-01-01T00:00:01.000Z",
            polygon: {
              type: "Polygon",
              coordinates: [
                [
                  [1, 2],
                  [3, 2],
                  [3, 4],
                  [1, 4],
                  [1, 2],
                ],
              ],
            },
          },
        ],
      },
    });
  });

  test("two recordings of one data source share no track, the same one imported again has the same", () => {
    const created = (recording: string) =>
      plan([...frames(1, 1, 4), ...frames(2, 1, 4)], { recording }).flatMap(({ trackIds }) => [...trackIds]);

    expect(new Set(created("day 1")).size).toBe(2);
    expect(new Set([...created("day 1"), ...created("day 2")]).size).toBe(4);
    expect(created("day 1")).toEqual(created("day 1"));
  });

  test("track ids depend on data source, recording and file id only", () => {
    const other = importedTrackId({ ...options, dataSourceId: "cam2" }, 1);
    const otherwise: PlanOptions = { ...options, fps: 25, maxDetections: 1 };

    expect(importedTrackId(otherwise, 1)).toBe(trackId(1));
    expect(new Set([trackId(1), trackId(2), other]).size).toBe(3);
    expect(trackId(1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
  });
});

describe("documents", () => {
  test("steps of different tracks share one, a track's next step opens another", () => {
    const steps = plan([...frames(1, 1, 3), ...frames(2, 1, 3)]);
    expect(outline(steps, { a: 1, b: 2 })).toBe("+a@0 +b@0 a@100,b@100 -a@200 -b@200");

    const documents = [...packDocuments(steps, Number.POSITIVE_INFINITY)];

    expect(documents.map(({ detections, time }) => [detections, time - START])).toEqual([
      [2, 0],
      [2, 100],
      [2, 200],
    ]);
    expect(documents[0]?.query).toBe(
      "mutation Import($i0: CreateTrackInput!, $i1: CreateTrackInput!) { m0: createTrack(track: $i0) { __typename } m1: createTrack(track: $i1) { __typename } }",
    );
    expect(documents[1]?.variables["i0"]).toBe(steps[2]?.mutation.input);
  });

  test("what is far apart in time does not share one", () => {
    const steps = plan([...frames(1, 1, 1), ...frames(2, 51, 51), ...frames(3, 102, 102)]);

    expect([...packDocuments(steps, Number.POSITIVE_INFINITY)].map(({ detections }) => detections)).toEqual([2, 1]);
  });

  test("one has at most sixteen root fields", () => {
    const steps = plan(Array.from({ length: 40 }, (_, fileId) => ({ frame: 1, fileId })));

    expect([...packDocuments(steps, Number.POSITIVE_INFINITY)].map(({ detections }) => detections)).toEqual([
      16, 16, 8,
    ]);
  });
});
