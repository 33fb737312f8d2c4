import { expect, test } from "vitest";
import { patchHeader, patchOf, setFieldsOf } from "../../../../projections/track/patch.ts";
import type { TrackUpdated } from "../../../../schemas/events.ts";

const updated = (changes: Partial<TrackUpdated>): TrackUpdated => ({
  ...{ trackId: "t", dataSourceId: "d", tag: null, startTime: null, endTime: null, properties: null, metadata: null },
  ...{ cleared: [], detections: [], ...changes },
});
const header = {
  ...{ trackId: "t", dataSourceId: "d", tag: "car", startTime: 1, endTime: 2, modelId: "m" },
  ...{ properties: { identifier: null, attributes: null }, metadata: "{}" },
};

test("a field that the update says nothing of stays as it was", () => {
  expect(patchOf(updated({}))).toEqual({});
  expect(patchHeader(header, patchOf(updated({ tag: "bus", endTime: 3 })))).toEqual({
    ...header,
    tag: "bus",
    endTime: 3,
  });
});

test("cleared fields are null afterwards, and count as said", () => {
  const patch = patchOf(updated({ startTime: 0, cleared: ["endTime", "properties", "metadata"] }));

  expect(patchHeader(header, patch)).toEqual({
    ...header,
    startTime: 0,
    endTime: null,
    properties: null,
    metadata: null,
  });
  expect(setFieldsOf(patch)).toEqual(["startTime", "endTime", "properties", "metadata"]);
});

test("a value outweighs that its field is cleared", () => {
  expect(patchOf(updated({ metadata: "1", cleared: ["metadata"] }))).toEqual({ metadata: "1" });
});
