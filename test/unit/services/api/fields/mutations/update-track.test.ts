import { expect, test } from "vitest";
import { noWriter } from "../../../../../support/scenes/catalog.ts";
import { createEntityApi } from "../../entity-api.ts";

const UPDATE = "mutation ($track: UpdateTrackInput!) { updateTrack(track: $track) { id } }";
const header = {
  dataSourceId: "yard",
  tag: "car",
  startTime: 0,
  endTime: 1_000,
  modelId: null,
  properties: null,
  metadata: null,
  firstDetectionAt: null,
  lastDetectionAt: null,
};

test.each(["tag", "startTime", "detections"])("null for %s, which always has a value, is refused", async (field) => {
  const { refusal } = await createEntityApi({
    routing: { known: (trackId) => ({ ...header, trackId }), updated: async (updated) => updated },
    writer: noWriter,
  });

  const { code, path } = await refusal(UPDATE, { track: { id: "t", [field]: null } });

  expect([code, path]).toEqual(["BAD_USER_INPUT", ["track", field]]);
});
