import { expect, onTestFinished, test, vi } from "vitest";
import { configBytes } from "../../../../../projections/webhooks/deliveries/payload.ts";
import type { Subscription } from "../../../../../projections/webhooks/subscriptions/subscriptions.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { createTurns } from "../../../../../services/common/turns.ts";
import type { LaneContext } from "../../../../../services/webhooks/deliver/context.ts";
import { startLane } from "../../../../../services/webhooks/deliver/lane.ts";
import type { Attempted, Message, Send } from "../../../../../services/webhooks/deliver/send.ts";
import type { DeliveryPayload, Head } from "../../../../../services/webhooks/queue/next-delivery.ts";
import type { Queue } from "../../../../../services/webhooks/queue/queue.ts";

const HOUR_MS = 3_600_000;
const KEEP_MS = 20 * HOUR_MS;
const state = { id: "i", signal: "track_expired" as const, subjectId: "t", timestamp: 1, state: "{}" };
const waiting = { ...state, emitReason: null, expiredBy: null, createdAt: Date.now() };
const head: Head = { id: "i", createdAt: Date.now(), bytes: 100, signals: 1, failures: 0, nextAt: 0, wasSlow: false };
const payload: DeliveryPayload = { ...head, signals: [waiting], isBatch: false, merged: 0, attempts: [] };
const subscription = {
  ...{ key: "s", version: "v1", createdAt: 1, mode: "streaming", batchInterval: 30, signalType: "track_state" },
  filters: { siteIds: [], dataSourceIds: [], zoneIds: [], tags: [] },
};

interface Given {
  readonly current?: () => object;
  readonly queue: Partial<Queue>;
  readonly send: Send;
  readonly isHeld?: () => Promise<boolean>;
  readonly stopped?: (reason: string) => void;
  readonly caughtUp?: () => Promise<void>;
}

const AT_ONCE = async () => {};

function start(given: Given) {
  const { current = () => subscription, queue, send, isHeld = async () => true, stopped, caughtUp = AT_ONCE } = given;
  const stop = new AbortController();
  const lane = startLane("1/s", {
    subscriptions: { get: () => current() as Subscription },
    catalog: { get: () => undefined, referring: () => [] },
    stops: { isRevoked: () => false, set: async (_: Subscription, reason: string) => stopped?.(reason) },
    ...{ queue, send, stopAfter: 25, onEnded: () => {}, cut: stop.signal },
    ...{ ownership: { isHeld }, turns: createTurns(1), caughtUp },
    retries: { firstDelayMs: 5_000, longestDelayMs: HOUR_MS, keepMs: KEEP_MS },
    patience: { log: createLog("test", "silent"), signal: stop.signal },
  } as unknown as LaneContext);
  return { lane, stop: () => stop.abort() };
}

/** Timers go on. */
function holdClocks(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

const takes = (...heads: readonly (Head | undefined)[]) => {
  const left = [...heads];
  return vi.fn(async () => ({ batchAt: undefined, head: left.length > 1 ? left.shift() : left[0] }));
};

test("a subscription that goes on while the queue is asked is served at once", async () => {
  let current: object = { ...subscription, stopped: { reason: "failing", detail: "", at: 1 } };
  const taken = Promise.withResolvers<void>();
  let asked = 0;
  const queue: Partial<Queue> = {
    async take() {
      asked += 1;
      if (asked === 1) await taken.promise;
      return { batchAt: undefined, head };
    },
  };
  const send = vi.fn(async () => stop());
  const { lane, stop } = start({ current: () => current, queue, send });

  current = { ...subscription, version: "v2", stopped: undefined };
  lane.change();
  taken.resolve();
  await lane.done;

  expect(send).toHaveBeenCalledTimes(1);
});

test("the queue of a deleted subscription is never taken from by another one with its id, and is forgotten", async () => {
  holdClocks();
  const take = vi.fn();
  const forget = vi.fn(async () => {});
  const current = () => ({ ...subscription, createdAt: 2 });
  const { lane } = start({ current, queue: { take, forget }, send: async () => {} });

  vi.advanceTimersByTime(HOUR_MS);
  lane.change();
  await lane.done;

  expect(take).not.toHaveBeenCalled();
  expect(forget.mock.calls).toEqual([["1/s"]]);
});

test("a queue whose subscription is not known waits for whatever the log has, however late that is read", async () => {
  holdClocks();
  const asked = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const caughtUp = vi.fn(() => {
    asked.resolve();
    return read.promise;
  });
  caughtUp.mockRejectedValueOnce(new Error("the log does not answer"));
  let known = false;
  const forget = vi.fn(async () => {});
  const send = vi.fn(async () => stop());
  const current = () => (known ? subscription : { ...subscription, createdAt: 0 });
  const { lane, stop } = start({ current, queue: { take: takes(head), forget }, send, caughtUp });

  vi.advanceTimersByTime(HOUR_MS);
  lane.change();
  await asked.promise;
  vi.advanceTimersByTime(HOUR_MS);
  lane.change();
  known = true;
  read.resolve();
  await lane.done;

  expect(forget).not.toHaveBeenCalled();
  expect(send).toHaveBeenCalledTimes(1);
});

test("a subscription that was deleted gets nothing, also before this process has read of it", async () => {
  let current: object = subscription;
  const load = vi.fn(async () => "deleted" as const);
  const loaded: unknown[] = [];
  const send = async (message: Message) => void loaded.push(await message.load());
  const caughtUp = vi.fn(async () => {
    current = { ...subscription, createdAt: 2 };
    stop();
  });
  const { lane, stop } = start({ current: () => current, queue: { take: takes(head), load }, send, caughtUp });

  await lane.done;

  expect(loaded).toEqual([undefined]);
  expect(caughtUp).toHaveBeenCalledTimes(1);
});

test("a deletion that the log has lost is asked for at times, not without a pause", async () => {
  const take = takes(head);
  const eventually: Partial<Queue> = {
    take: () => new Promise(setImmediate).then(take),
    load: async () => "deleted" as const,
  };
  const caughtUp = vi.fn(AT_ONCE);
  const { lane, stop } = start({ queue: eventually, send: async (message) => void (await message.load()), caughtUp });

  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  const asked = caughtUp.mock.calls.length;
  lane.change();
  await vi.waitFor(() => expect(caughtUp.mock.calls.length).toBeGreaterThan(asked), 5_000);
  stop();
  await lane.done;

  expect(asked).toBeLessThan(5);
});

test("the clock of the machine says nothing about a queue whose subscription is not known", async () => {
  holdClocks();
  const caughtUp = vi.fn(AT_ONCE);
  const forget = vi.fn(async () => {});
  const current = () => ({ ...subscription, createdAt: 2 });
  const { lane, stop } = start({ current, queue: { forget }, send: async () => {}, caughtUp });

  vi.setSystemTime(Date.now() + HOUR_MS);
  lane.change();
  await new Promise(setImmediate);
  stop();
  await lane.done;

  expect(caughtUp).not.toHaveBeenCalled();
  expect(forget).not.toHaveBeenCalled();
});

test("a lane loads no payload while it rests or waits for its turn", async () => {
  const load = vi.fn(async () => payload);
  const take = takes({ ...head, failures: 1, nextAt: Date.now() + HOUR_MS }, head);
  const sent = Promise.withResolvers<Message>();
  const turn = Promise.withResolvers<void>();
  const send: Send = async (message) => {
    sent.resolve(message);
    await turn.promise;
    await message.load();
    stop();
  };
  const { lane, stop } = start({ queue: { take, load }, send });

  await vi.waitFor(() => expect(take).toHaveBeenCalledTimes(1), 5_000);
  expect(load).not.toHaveBeenCalled();
  lane.change();
  expect(await sent.promise).toMatchObject({
    id: "i",
    bytes: 100 + configBytes(subscription as unknown as Subscription),
  });
  expect(load).not.toHaveBeenCalled();
  turn.resolve();
  await lane.done;
  expect(load).toHaveBeenCalledTimes(1);
});

test("a request may not begin when another process owns the partition, or the lane is to end", async () => {
  let isHeld = true;
  const may: boolean[] = [];
  const send: Send = async ({ mayBegin }) => {
    may.push(await mayBegin());
    isHeld = false;
    may.push(await mayBegin());
    isHeld = true;
    stop();
    may.push(await mayBegin());
  };
  const { lane, stop } = start({ queue: { take: takes(head) }, send, isHeld: async () => isHeld });

  await lane.done;

  expect(may).toEqual([true, false, false]);
});

test("the outcome of a failure is noted before the log is told that the subscription stops", async () => {
  const steps: string[] = [];
  const attempted: Attempted = {
    attempt: { at: 1, status: 410, error: null, ms: 1 },
    outcome: { kind: "gone" },
  };
  const queue: Partial<Queue> = {
    take: takes({ ...head, failures: 3 }, undefined),
    load: async () => payload,
    retry: async () => void steps.push("noted"),
  };
  const send: Send = async (message) => {
    await (await message.load())?.settle(attempted);
    steps.push("payload let go");
  };
  const { lane } = start({ queue, send, stopped: (reason) => steps.push(reason) });

  await lane.done;

  expect(steps).toEqual(["noted", "payload let go", "gone"]);
});
