import { expect, test } from "vitest";
import { checkRecord } from "../../../schemas/check-record.ts";
import { flawText } from "../../../schemas/flaw.ts";
import type { MeasurementRecorded } from "../../../schemas/records/measurement-recorded.ts";
import type { VideoChanged } from "../../../schemas/records/video-changed.ts";

const LATEST = Date.parse("2026-01-01T00:00:00.000Z");
const measurement: MeasurementRecorded = { sensorId: "s", timestamp: LATEST, value: "1" };
const video: VideoChanged = {
  ...{ id: "v", dataSourceId: "ds", change: "created", at: LATEST, cleared: [] },
  set: {
    ...{ startTime: LATEST - 1_000, endTime: LATEST, path: "a/b.mp4", thumbnailPath: null },
    ...{ displayName: "Gate", frameRate: 25, resolutionHeight: null, resolutionWidth: null },
  },
};
const changed = (set: Partial<VideoChanged["set"]>): VideoChanged => ({ ...video, set: { ...video.set, ...set } });

test("sound records pass", () => {
  const update: VideoChanged = { ...changed({ startTime: null, path: null }), change: "updated", cleared: ["endTime"] };

  expect(checkRecord({ type: "MeasurementRecorded", event: measurement }, LATEST)).toBeUndefined();
  expect(checkRecord({ type: "VideoChanged", event: video }, LATEST)).toBeUndefined();
  expect(checkRecord({ type: "VideoChanged", event: update }, LATEST)).toBeUndefined();
});

test.each<[Partial<MeasurementRecorded>, string]>([
  [{ sensorId: "" }, "sensorId"],
  [{ timestamp: LATEST + 1 }, "timestamp"],
  [{ timestamp: -1e13 }, "timestamp"],
  [{ value: "x".repeat(1_025) }, "value"],
])("a measurement with %j is refused", (changes, path) => {
  const flaw = checkRecord({ type: "MeasurementRecorded", event: { ...measurement, ...changes } }, LATEST);

  expect(flaw?.path).toEqual([path]);
});

test.each<[VideoChanged, string]>([
  [{ ...video, id: "x".repeat(256) }, "id"],
  [{ ...video, dataSourceId: "" }, "dataSourceId"],
  [changed({ startTime: null }), "set.startTime"],
  [changed({ path: null }), "set.path"],
  [changed({ path: "../b.mp4" }), "set.path"],
  [changed({ thumbnailPath: "/b.jpg" }), "set.thumbnailPath"],
  [changed({ startTime: LATEST + 1, endTime: null }), "set.startTime"],
  [changed({ endTime: LATEST - 2_000 }), "set.endTime"],
  [changed({ frameRate: Number.NaN }), "set.frameRate"],
  [changed({ displayName: "x".repeat(1_025) }), "set.displayName"],
  [{ ...video, change: "updated", cleared: ["path" as never] }, "cleared"],
])("a video is refused for %#: %s", (event, path) => {
  const flaw = checkRecord({ type: "VideoChanged", event }, LATEST);

  expect(flaw === undefined ? "" : flawText(flaw)).toMatch(new RegExp(`^${path}: `));
});
