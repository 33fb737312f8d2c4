import { Redis } from "ioredis";
import { expect, test } from "vitest";
import type { TrackHeader } from "../../../../../projections/track/header.ts";
import { createTrackRouting, type TrackRoutingOptions } from "../../../../../services/api/write/track-routing.ts";
import { createLog } from "../../../../../services/common/log.ts";

const attributes = (count: number) => Array.from({ length: count }, () => ({ type: "", value: "" }));
const texts = { trackId: "", dataSourceId: "ds", tag: "", startTime: 0, endTime: null, metadata: null, detections: [] };

/** No Redis is there: the instance knows what it wrote itself, and what the history has. */
function createRouting(stores: Partial<TrackRoutingOptions> = {}) {
  const redis = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on("error", () => {});
  return createTrackRouting({
    redis,
    namespace: "test",
    history: async () => [],
    historyOf: async () => [],
    historyComplete: async () => {},
    log: createLog("test", "silent"),
    maxTracks: 100,
    ttlSeconds: 60,
    ...stores,
  });
}

test.each<readonly [string, Partial<TrackHeader>]>([
  ["attributes without a text", { properties: { identifier: null, attributes: attributes(250) } }],
  ["a long identifier", { properties: { identifier: { type: "x".repeat(25_000), value: "" }, attributes: null } }],
  ["a long model id", { modelId: "x".repeat(25_000) }],
  ["metadata", { metadata: "x".repeat(25_000) }],
])("remembered tracks are bounded by what their headers take: %s", async (_name, more) => {
  const routing = createRouting();
  const ids = Array.from({ length: 10 }, (_, i) => `t${i}`);

  for (const trackId of ids) {
    await routing.created(Object.assign({ ...texts, modelId: null, properties: null }, more, { trackId }), 0);
  }

  expect(ids.filter((id) => routing.known(id) !== undefined)).toEqual(["t7", "t8", "t9"]);
});

const twin = (dataSourceId: string): TrackHeader => ({
  ...texts,
  trackId: "7",
  dataSourceId,
  modelId: null,
  properties: null,
});

test("a track that was looked up with its data source does not change which one the id alone means", async () => {
  const asked: string[] = [];
  const routing = createRouting({
    history: async () => [twin("camA")],
    historyOf: async (refs) =>
      refs.map(({ dataSourceId }) => {
        asked.push(dataSourceId);
        return twin(dataSourceId);
      }),
  });
  const refs = [{ trackId: "7", dataSourceId: "camB" }];

  for (let times = 0; times < 2; times++) expect(await routing.findOf(refs)).toEqual([twin("camB")]);

  expect(asked).toEqual(["camB"]);
  expect(routing.known("7")).toBeUndefined();
  expect([...(await routing.findForSure(["7"])).values()]).toEqual([twin("camA")]);
  expect(await routing.findOf(refs)).toEqual([twin("camB")]);
  expect(routing.known("7")).toEqual(twin("camA"));
});
