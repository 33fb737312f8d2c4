import { expect, test } from "vitest";
import type { VideoRecord } from "../../../../../projections/history/queries/records.ts";
import { clipId } from "../../../../../schemas/identity.ts";
import { coverClips, coveredClips, timeFragment } from "../../../../../services/api/media/clips.ts";

const NOON = Date.parse("2026-01-01T12:00:00.000Z");

const video: VideoRecord = {
  ...{ id: "v1", dataSourceId: "gate", startTime: NOON, endTime: NOON + 60_000, path: "gate/a.mp4" },
  ...{ thumbnailPath: null, displayName: null, frameRate: null, resolutionHeight: null, resolutionWidth: null },
};
const clip = (from: number, to: number) => ({ dataSourceId: "gate", startTime: NOON + from, endTime: NOON + to });

test.each([
  [0, 60_000, "#t=0,60"],
  [1_500, 2_001, "#t=1.5,2.001"],
  [1, 86_400_000, "#t=0.001,86400"],
  // Players take no end that is not behind the beginning.
  [5_000, 5_000, "#t=5"],
])("from %i to %i ms the fragment is %s", (from, to, fragment) => {
  expect(timeFragment({ ...clip(from, to), video })).toBe(fragment);
});

test("a clip has the id of its data source and period", () => {
  expect(clipId("gate", NOON, NOON + 1)).toBe(clipId("gate", NOON, NOON + 1));
  expect(
    new Set([clipId("gate", NOON, NOON + 1), clipId("gate", NOON, NOON + 2), clipId("door", NOON, NOON + 1)]).size,
  ).toBe(3);
});

test("of stored clips those that no video covers are left out", async () => {
  const loaders = { coveringVideo: async ({ to }: { to: number }) => (to <= NOON + 60_000 ? video : undefined) };
  const [inside, outside] = [clip(0, 1_000), clip(0, 61_000)];

  expect(await coveredClips([outside, inside, outside], loaders)).toEqual([{ ...inside, video }]);
});

test("a new clip waits for the videos that the log has, and is NOT_FOUND when none of them covers it", async () => {
  let isComplete = false;
  const loaders = {
    coveringVideo: async ({ to }: { to: number }) => (isComplete && to <= NOON + 60_000 ? video : undefined),
  };
  const deps = {
    historyComplete: async () => {
      isComplete = true;
    },
  };
  const [inside, outside] = [clip(0, 1_000), clip(0, 61_000)];
  const coverAll = (...clips: (typeof inside)[]) => coverClips(clips, (i) => ["clips", i], { loaders }, deps);

  expect(await coverAll(inside)).toEqual([{ ...inside, video }]);
  await expect(coverAll(inside, outside)).rejects.toMatchObject({
    code: "NOT_FOUND",
    inputPath: ["clips", 1],
    message: "no video of data source gate covers the clip: 2026-01-01T12:00:00.000Z to 2026-01-01T12:01:01.000Z",
  });
});
