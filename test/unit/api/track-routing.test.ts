import { Redis } from "ioredis";
import { expect, test } from "vitest";
import type { TrackHeader } from "../../../projections/track/header.ts";
import { createTrackRouting } from "../../../services/api/write/track-routing.ts";
import { createLog } from "../../../services/common/log.ts";

const attributes = (count: number) => Array.from({ length: count }, () => ({ type: "", value: "" }));
const texts = { trackId: "", dataSourceId: "ds", tag: "", startTime: 0, endTime: null, metadata: null, detections: [] };

test.each<readonly [string, Partial<TrackHeader>]>([
  ["attributes without a text", { properties: { identifier: null, attributes: attributes(250) } }],
  ["a long identifier", { properties: { identifier: { type: "x".repeat(25_000), value: "" }, attributes: null } }],
  ["a long model id", { modelId: "x".repeat(25_000) }],
  ["metadata", { metadata: "x".repeat(25_000) }],
])("remembered tracks are bounded by what their headers take: %s", async (_name, more) => {
  // No Redis is there: the instance knows what it wrote itself.
  const redis = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on("error", () => {});
  const routing = createTrackRouting({
    redis,
    namespace: "test",
    history: async () => [],
    historyOf: async () => [],
    historyComplete: async () => {},
    log: createLog("test", "silent"),
    maxTracks: 100,
    ttlSeconds: 60,
  });
  const ids = Array.from({ length: 10 }, (_, i) => `t${i}`);

  for (const trackId of ids) {
    await routing.created(Object.assign({ ...texts, modelId: null, properties: null }, more, { trackId }), 0);
  }

  expect(ids.filter((id) => routing.known(id) !== undefined)).toEqual(["t7", "t8", "t9"]);
});
