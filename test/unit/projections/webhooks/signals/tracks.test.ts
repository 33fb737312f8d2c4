import { expect, test } from "vitest";
import type { Subscribed } from "../../../../../projections/webhooks/signals/subscribers.ts";
import { createCamera, created, expired, OUTSIDE, recorded, seen, T0, updated } from "../../live/camera.ts";
import { reported, subscribed, toAll } from "./subscribed.ts";

test("a track is created, updated, and expired by the wall clock", () => {
  const camera = createCamera({ subscriptions: toAll(subscribed()) });

  camera.fold(recorded(seen(0, OUTSIDE)), recorded(seen(1_000, OUTSIDE)), expired(1_000));

  expect(camera.out.lists.signals.map(reported)).toEqual([
    "track_created t@0",
    "track_updated t@1",
    "track_expired t@16 wall_clock",
  ]);
});

test("late detections and duplicates raise nothing", () => {
  const camera = createCamera({ subscriptions: toAll(subscribed()) });
  camera.fold(recorded(seen(1_000, OUTSIDE)));

  camera.fold(recorded(seen(1_000, OUTSIDE)), recorded(seen(500, OUTSIDE)));

  expect(camera.out.lists.signals).toHaveLength(1);
});

test("a gap longer than the time to live expires the track by event time, with its state before the gap", () => {
  const camera = createCamera({ subscriptions: toAll(subscribed()) });

  camera.fold(recorded(seen(0, OUTSIDE)), recorded(seen(20_000, OUTSIDE)));

  expect(camera.out.lists.signals.map(reported)).toEqual([
    "track_created t@0",
    "track_expired t@15 event_time",
    "track_created t@20",
  ]);
  expect(JSON.parse(camera.out.lists.signals[1]?.state ?? "")).toMatchObject({
    last_seen: new Date(T0).toISOString(),
    track_end: new Date(T0 + 15_000).toISOString(),
    zones: { active: {} },
  });
});

test("a stalled sender that comes back goes on with the same track, which expires again", () => {
  const camera = createCamera({ subscriptions: toAll(subscribed()) });

  camera.fold(recorded(seen(0, OUTSIDE)), expired(0), recorded(seen(5_000, OUTSIDE)), expired(5_000));

  expect(camera.out.lists.signals.map(reported)).toEqual([
    "track_created t@0",
    "track_expired t@15 wall_clock",
    "track_updated t@5",
    "track_expired t@20 wall_clock",
  ]);
});

test("an explicit end expires the track at once; a later detection begins anew", () => {
  const camera = createCamera({ subscriptions: toAll(subscribed()) });

  camera.fold(recorded(seen(0, OUTSIDE)), updated({ endTime: T0 + 500 }), updated({ endTime: T0 + 500 }));
  camera.fold(recorded(seen(1_000, OUTSIDE)));

  expect(camera.out.lists.signals.map(reported)).toEqual([
    "track_created t@0",
    "track_expired t@0.5 end_time",
    "track_created t@1",
  ]);
});

test("tags are compared without case, as they are at that moment", () => {
  const subscriptions = toAll(subscribed({ filters: { tags: ["PERSON"] } }));
  const camera = createCamera({ subscriptions });

  camera.fold(recorded(seen(0, OUTSIDE)), created({ tag: "Person" }), recorded(seen(1_000, OUTSIDE)));

  expect(camera.out.lists.signals.map(reported)).toEqual(["track_updated t@1"]);
});

test("a subscription does not hear of what the log recorded before it was made", () => {
  const subscriptions = toAll(subscribed({ createdAt: T0 + 100_000 }));
  const camera = createCamera({ subscriptions });
  camera.setBrokerTime(0);

  camera.fold(recorded(seen(0, OUTSIDE)));
  camera.setBrokerTime(50_000);
  camera.fold(recorded(seen(1_000, OUTSIDE)));

  expect(camera.out.lists.signals.map(reported)).toEqual(["track_updated t@1"]);
});

test("each subscription counts its own signals of a message", () => {
  const quiet = subscribed({ key: "quiet", filters: { tags: ["car"] } });
  const busy = subscribed({ key: "busy" });
  const causesWith = (...subscriptions: Subscribed[]) => {
    const camera = createCamera({ subscriptions: toAll(...subscriptions) });
    camera.fold(created({ trackId: "c", tag: "car" }));
    camera.fold(recorded(seen(0, OUTSIDE), seen(0, OUTSIDE, { trackId: "c" }), seen(100, OUTSIDE)));
    return (key: string) =>
      camera.out.lists.signals
        .filter(({ subscriptionId }) => subscriptionId === key)
        .map(({ id, cause }) => [id, cause]);
  };

  const together = causesWith(quiet, busy);

  expect(together("quiet")).toEqual(causesWith(quiet)("quiet"));
  expect(together("busy")).toEqual(causesWith(busy)("busy"));
  expect(together("busy").map(([, cause]) => cause)).toEqual(
    [0, 1, 2].map((index) => ({ topic: "camera-log", partition: 3, offset: 1, index })),
  );
});

test("what an earlier owner raised is not raised again, and the rest keeps its ids", () => {
  const messages = [0, 1_000, 2_000].map((at) => recorded(seen(at, OUTSIDE)));
  const straight = createCamera({ subscriptions: toAll(subscribed()) });
  const rebuilding = createCamera({ subscriptions: toAll(subscribed()) });
  rebuilding.state.signalsFrom = 2;

  straight.fold(...messages);
  rebuilding.fold(...messages);

  expect(rebuilding.out.lists.signals).toEqual(straight.out.lists.signals.slice(2));
});

test("a state that no message could hold is shortened, and says so", () => {
  const camera = createCamera({ subscriptions: toAll(subscribed()) });
  const rings = [Array.from({ length: 100_000 }, (_, i) => 1_000.123 + i / 7)];

  camera.fold(recorded(seen(0, OUTSIDE, { polygon: { rings, crs: null } })));

  const [signal] = camera.out.lists.signals;
  expect(signal?.state.length).toBeLessThan(600_000);
  expect(JSON.parse(signal?.state ?? "")).toMatchObject({ truncated: true, track_id: "t" });
});

test("a long state has the same length however many others subscribe", () => {
  const rings = [Array.from({ length: 20_000 }, (_, i) => 1_000.123 + i / 7)];
  const statesWith = (others: number) => {
    const crowd = Array.from({ length: others }, (_, i) => subscribed({ key: `other-${i}` }));
    const camera = createCamera({ subscriptions: toAll(subscribed({ key: "own" }), ...crowd) });
    camera.fold(recorded(seen(0, OUTSIDE, { polygon: { rings, crs: null } })));
    return camera.out.lists.signals.filter(({ subscriptionId }) => subscriptionId === "own").map(({ state }) => state);
  };

  const alone = statesWith(0);

  expect(alone[0]?.length).toBeGreaterThan(200_000);
  expect(statesWith(500)).toEqual(alone);
});

test("a subscription that gets the id of a deleted one has signals of its own", () => {
  const signalsOf = (createdAt: number) => {
    const camera = createCamera({ subscriptions: toAll(subscribed({ createdAt })) });
    camera.fold(created(), recorded(seen(0, OUTSIDE)));
    return camera.out.lists.signals;
  };

  const [former, later] = [signalsOf(T0), signalsOf(T0 + 1)];

  expect(former).not.toEqual([]);
  expect(later.map(reported)).toEqual(former.map(reported));
  expect(former.every(({ generation }) => generation === T0)).toBe(true);
  expect(later.every(({ generation }) => generation === T0 + 1)).toBe(true);
  expect(later.filter(({ id }) => former.some((each) => each.id === id))).toEqual([]);
});
