import { expect, test, vi } from "vitest";
import type { Subscription } from "../../../projections/subscriptions/subscriptions.ts";
import { createLog } from "../../../services/common/log.ts";
import { type LaneContext, startLane } from "../../../services/webhooks/lane.ts";
import type { Queue } from "../../../services/webhooks/queue.ts";

const HOUR_MS = 3_600_000;
const state = { id: "i", signal: "track_expired", subjectId: "t", timestamp: 1, state: "{}" };
const waiting = { ...state, emitReason: null, expiredBy: null, createdAt: Date.now() };
const head = { id: "i", createdAt: Date.now(), signals: [waiting], isBatch: false, merged: 0, attempts: [] };
const subscription = {
  ...{ key: "s", version: "v1", createdAt: 1, mode: "streaming", batchInterval: 30, signalType: "track_state" },
  filters: { siteIds: [], dataSourceIds: [], zoneIds: [], tags: [] },
};

test("a subscription that goes on while the queue is asked is served at once", async () => {
  let current: object = { ...subscription, stopped: { reason: "failing", detail: "", at: 1 } };
  const taken = Promise.withResolvers<void>();
  const stop = new AbortController();
  let takes = 0;
  const queue: Partial<Queue> = {
    async take() {
      takes += 1;
      if (takes === 1) await taken.promise;
      return { batchAt: undefined, head: { ...head, failures: 0, nextAt: 0 } } as never;
    },
  };
  const send = vi.fn(async () => {
    stop.abort();
    return undefined;
  });
  const lane = startLane("s", {
    subscriptions: { get: () => current as Subscription },
    catalog: { get: () => undefined, referring: () => [] },
    ...{ queue, send, stops: { isRevoked: () => false }, stopAfter: 25, onEnded: () => {}, cut: stop.signal },
    retries: { firstDelayMs: 5_000, longestDelayMs: HOUR_MS, keepMs: 20 * HOUR_MS },
    patience: { log: createLog("test", "silent"), signal: stop.signal },
  } as unknown as LaneContext);

  current = { ...subscription, version: "v2", stopped: undefined };
  lane.change();
  taken.resolve();
  await lane.done;

  expect(send).toHaveBeenCalledTimes(1);
});
