import { expect, onTestFinished, test, vi } from "vitest";
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

interface Given {
  readonly get: () => Subscription;
  readonly queue: Partial<Queue>;
  readonly send?: unknown;
  readonly signal: AbortSignal;
}

const contextOf = ({ get, queue, send, signal }: Given) =>
  ({
    subscriptions: { get },
    catalog: { get: () => undefined, referring: () => [] },
    ...{ queue, send, stops: { isRevoked: () => false }, stopAfter: 25, onEnded: () => {}, cut: signal },
    retries: { firstDelayMs: 5_000, longestDelayMs: HOUR_MS, keepMs: 20 * HOUR_MS },
    patience: { log: createLog("test", "silent"), signal },
  }) as unknown as LaneContext;

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
  const lane = startLane("1/s", contextOf({ get: () => current as Subscription, queue, send, signal: stop.signal }));

  current = { ...subscription, version: "v2", stopped: undefined };
  lane.change();
  taken.resolve();
  await lane.done;

  expect(send).toHaveBeenCalledTimes(1);
});

test("the queue of a deleted subscription is never taken from by another one with its id, and is forgotten", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const take = vi.fn();
  const forget = vi.fn(async () => {});
  const get = () => ({ ...subscription, createdAt: 2 }) as unknown as Subscription;
  const lane = startLane("1/s", contextOf({ get, queue: { take, forget }, signal: new AbortController().signal }));

  vi.setSystemTime(Date.now() + HOUR_MS);
  lane.change();
  await lane.done;

  expect(take).not.toHaveBeenCalled();
  expect(forget.mock.calls).toEqual([["1/s"]]);
});
