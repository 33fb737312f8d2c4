import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { noProgress, type ReplayProgress, type Segment } from "../../../../projections/replay/session.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { createLog } from "../../../../services/common/log.ts";
import { pause } from "../../../../services/common/loop.ts";
import { runSession } from "../../../../services/replay/run-session.ts";
import type { Claimed, Ended } from "../../../../services/replay/store.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { noFilters } from "../../../support/scenes/no-filters.ts";
import { askedOfCam, replayOfTracks } from "../../../support/scenes/segment-tracks.ts";
import { subscriptionSet } from "../../../support/scenes/signals.ts";
import { created, INSIDE, recorded, seen, T0, updated } from "../../projections/live/camera.ts";

const DAY = 86_400_000;
/** Broker time, ms: both days were imported together. */
const IMPORTED = T0 + 2 * DAY;

const unused = () => {
  throw new Error("not used here");
};

const messages: readonly CameraLogEvent[] = [
  created({ trackId: "a" }),
  recorded(seen(0, INSIDE, { trackId: "a" })),
  // Only now it is of the subscription's kind: the first signal comes without a detection.
  updated({ trackId: "a", tag: "car", endTime: T0 }),
  created({ trackId: "b", tag: "car", startTime: T0 + DAY }),
  recorded(seen(DAY, INSIDE, { trackId: "b" })),
];

const segment: Segment = {
  ...{
    partition: 0,
    asked: askedOfCam("a", "b"),
    dataSourceIds: ["cam"],
    log: "topic",
    begin: 0,
    end: messages.length,
  },
  ...{ beginAt: IMPORTED, lastAt: IMPORTED + messages.length, eventFrom: T0, eventTo: T0 + DAY },
  recorded: [{ from: IMPORTED, to: IMPORTED + messages.length }],
};

const specOf = (subscription: object): Claimed["session"]["spec"] => ({
  ...{ id: "s", ...replayOfTracks("a", "b"), mode: "auto", speed: 1 },
  subscription: {
    ...{ ...subscriptionSet("s", "https://hooks.example.com/a"), secrets: [] },
    filters: { ...noFilters, tags: ["car"] },
    ...subscription,
  },
});

/** The texts that were sent, the progress that was saved, and how the session ended. */
async function run(
  log: readonly CameraLogEvent[],
  plan: readonly Segment[],
  {
    subscription = {},
    progress = noProgress,
    isIdle = false,
  }: { subscription?: object; progress?: ReplayProgress; isIdle?: boolean } = {},
) {
  const signal = new AbortController().signal;
  const bodies: string[] = [];
  const ends: Ended[] = [];
  const saved: ReplayProgress[] = [];
  const fetched = log.map((_, offset) => ({
    ...{ key: null, value: Buffer.from(`${offset}`), attributes: 0, headers: {} },
    ...{ timestamp: `${IMPORTED + offset}`, offset: `${offset}` },
  }));
  const session = {
    ...({
      spec: specOf(subscription),
      version: "s",
      state: "running",
      reason: null,
      steering: { isHeld: false, granted: 0, speed: 1 },
      plan: [...plan],
    } as const),
    ...{ progress, createdAt: 0, endedAt: null },
  };

  await runSession(
    { id: "s", owner: "o", tokenId: "t", session, isIdle },
    { claim: signal, signal, steering: () => session.steering, changed: pause, paused: unused, renew: unused },
    {
      store: {
        ...{
          tokens: unused,
          claim: unused,
          release: unused,
          plan: unused,
          pause: unused,
          renew: async () => session.steering,
          keep: async () => true,
          save: async (_, made) => saved.push(made) > 0,
        },
        end: async (_, ended) => ends.push(ended) > 0,
      },
      makePlan: unused,
      prepare: async (asked) => ({
        fetcher: { fetch: async () => ({ messages: fetched, next: fetched.length }) },
        codec: {
          ...{ encode: unused, loadSchemas: async () => undefined },
          decode: (value) => ({ ok: true, ...(log[Number(value)] ?? unused()) }),
        },
        ...{ topic: "camera-log", logId: "log", highs: [log.length], log: createLog("test", "silent") },
        bounds: { maxFutureMs: 300_000, maxDetectionVertices: 1_001, maxZoneVertices: 256, maxDataSourceVertices: 256 },
        zones: { topic: "zones", partition: 0, begin: 0, end: 0 },
        // No track of these logs is older than its segment.
        history: { query: async () => ({ json: async () => [] }) as never },
        ...{ historyBudget: { open: unused }, trackTtlMs: liveSettings.trackTtlMs },
        forgetAfterMs: liveSettings.forgetAfterMs,
        ...{ warmUpMs: 0, throttle: async () => {}, signal: asked },
      }),
      ...{ settings: liveSettings, throttle: async () => {}, catalog: createCatalog() },
      send: async ({ body }) => {
        bodies.push(body);
        return { outcome: { kind: "delivered" }, error: "" };
      },
      retries: { firstDelayMs: 1, longestDelayMs: 1, keepMs: 60_000 },
      ...{ stopAfter: 1, idleMs: 0, log: createLog("test", "silent") },
    },
  );
  return { bodies: bodies.map((body) => JSON.parse(body)), saved, ends };
}

test("a recording of another day is not waited for, also when the first signal comes without a detection", async () => {
  const { bodies, ends } = await run(messages, [segment]);

  const received = bodies.map(({ track_state }) => track_state.track_id);
  expect(new Set(received)).toEqual(new Set(["a", "b"]));
  expect(ends).toMatchObject([{ state: "finished", progress: { deliveries: received.length } }]);
});

const LATER = 5 * 60_000;
const ofTrack = (trackId: string, at: number): readonly CameraLogEvent[] => [
  created({ trackId, tag: "car", startTime: T0 + at }),
  recorded(seen(at, INSIDE, { trackId })),
  updated({ trackId, tag: "car", endTime: T0 + at }),
];

const stretch = (trackIds: readonly string[], begin: number, end: number): Segment => ({
  ...{ partition: 0, dataSourceIds: ["cam"], log: "topic", asked: askedOfCam(...trackIds), begin, end },
  ...{ beginAt: IMPORTED + begin, lastAt: IMPORTED + end - 1, eventFrom: T0, eventTo: T0 + LATER },
  recorded: trackIds.map((_, i) => ({ from: IMPORTED + begin + 3 * i, to: IMPORTED + begin + 3 * i + 2 })),
});

test.each([
  ["in stretches of their own", [stretch(["a"], 0, 3), stretch(["b"], 3, 6)]],
  ["in a joined one", [stretch(["a", "b"], 0, 6)]],
])("what lies between tracks %s is not waited for, also with a batch that is open", async (_where, plan) => {
  const log = [...ofTrack("a", 0), ...ofTrack("b", LATER)];

  const { ends } = await run(log, plan, { subscription: { mode: "batch", batchInterval: 10 } });

  expect(ends).toMatchObject([{ state: "finished", progress: { deliveries: 2 } }]);
});

test("a session that is taken up again shows where it was, not how far it is folded anew", async () => {
  const position = { partition: 0, offset: messages.length - 1, timestamp: T0 };
  const before: ReplayProgress = { ...noProgress, signals: 1, steps: 2, share: 0.9, position };

  const { saved } = await run(messages, [segment], { progress: before });

  expect(saved[0]).toEqual(before);
});

test("a session that has waited for too long ends only if nobody has asked for anything meanwhile", async () => {
  const { ends } = await run(messages, [segment], { isIdle: true });

  expect(ends).toMatchObject([{ state: "failed", reason: expect.stringMatching(/^nobody/), ifWaiting: true }]);
});
