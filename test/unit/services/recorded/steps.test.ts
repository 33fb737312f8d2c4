import { expect, test } from "vitest";
import { foldRulesOf } from "../../../../projections/replay/fold-rules.ts";
import { createSegmentFold } from "../../../../projections/replay/fold-segment.ts";
import type { Segment } from "../../../../projections/replay/session.ts";
import { createSignalListener } from "../../../../projections/webhooks/signals/signal-listener.ts";
import { subscribersOf } from "../../../../projections/webhooks/signals/subscribers.ts";
import { createLog } from "../../../../services/common/log.ts";
import { createHistoryBudget } from "../../../../services/recorded/history-budget.ts";
import { type ReadDeps, storedSegments } from "../../../../services/recorded/read-segment.ts";
import { stepsOf } from "../../../../services/recorded/steps.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { INSIDE, recordedBy, seen } from "../../projections/live/camera.ts";
import { subscribed } from "../../projections/webhooks/signals/subscribed.ts";

const T0 = Date.UTC(2026, 0, 1);
const dataSourceId = "cam";
const trackId = "a";
const BYTES = 1024 * 1024;

const unused = () => {
  throw new Error("not used here");
};

/** Three detections of a track. */
const query = async ({ query: text }: { readonly query: string }) => ({
  json: async () => {
    if (text.includes("offsets of detections")) return [{ first: "0", last: "2" }];
    if (text.includes("headers of tracks")) {
      return [{ track_id: trackId, data_source_id: dataSourceId, tag: "person", start: T0, ended: null, last: T0 + 2 }];
    }
    return [0, 1, 2].map((n) => ({
      ...{ data_source_id: dataSourceId, track_id: trackId, timestamp_ms: T0 + n, recorded_at_ms: T0 + n, item: 0 },
      ...{ rings: [], polygon_crs: null, longitude: null, latitude: null, altitude: null, metadata: null },
      ...{ position_crs: null, direction: null, partition: 0, offset: String(n), held: "3" },
    }));
  },
});

const segment: Segment = {
  ...{
    partition: 0,
    asked: { kind: "tracks", tracks: [{ dataSourceId, trackId }] },
    dataSourceIds: [dataSourceId],
    log: "history",
    begin: 0,
    end: 3,
  },
  ...{ beginAt: T0, lastAt: T0 + 2, recorded: [], eventFrom: T0, eventTo: T0 + 2 },
};

test("a session that ends early gives its room of the history back", async () => {
  const historyBudget = createHistoryBudget(BYTES);
  const deps: ReadDeps = {
    ...{ historyBudget, history: { query: query as never }, warmUpMs: 0 },
    ...{ trackTtlMs: liveSettings.trackTtlMs, forgetAfterMs: liveSettings.forgetAfterMs },
    ...{ fetcher: { fetch: unused }, codec: { encode: unused, decode: unused, loadSchemas: unused } },
    ...{ topic: "camera-log", logId: "log", highs: [3], log: createLog("test", "silent") },
    bounds: { maxFutureMs: 300_000, maxDetectionVertices: 1_001, maxZoneVertices: 256, maxDataSourceVertices: 256 },
    zones: { topic: "zones", partition: 0, begin: 0, end: 0 },
    ...{ settings: liveSettings, throttle: async () => {}, signal: new AbortController().signal },
  };
  const seen: (number | null)[] = [];

  for await (const { detectedAt } of stepsOf([segment, segment], {
    ...deps,
    prepare: storedSegments(deps),
    plannedAt: 0,
  })) {
    seen.push(detectedAt);
    break;
  }

  expect(seen).toEqual([T0]);
  expect(historyBudget.open().next()).toBe(createHistoryBudget(BYTES).open().next());
});

test("a segment that ends with the log as planned ends no track that was silent only after the plan", async () => {
  const plannedAt = T0 + 100;
  const trackTtlMs = liveSettings.trackTtlMs / 2;
  const rules = foldRulesOf("then", { trackTtlMs }, liveSettings.trackTtlMs);
  const listener = createSignalListener({ of: () => subscribersOf([subscribed()]) });
  const fold = createSegmentFold(segment, [], { ...liveSettings, trackTtlMs, listener }, rules);
  async function* events() {
    yield { offset: 0, recordedAt: T0, message: recordedBy(dataSourceId, seen(0, INSIDE, { trackId })) };
  }
  const names: string[] = [];

  const deps = { prepare: async () => () => ({ fold, events: events() }), plannedAt, throttle: async () => {} };
  for await (const { signals } of stepsOf([segment], deps)) names.push(...signals.map(({ signal }) => signal));

  expect(names).toEqual(["track_created"]);
});
