import { expect, test } from "vitest";
import { storeTrack } from "../../../../../projections/live/stored.ts";
import type { Interaction } from "../../../../../projections/live/view-types.ts";
import type { SourceSubscribers } from "../../../../../projections/webhooks/signals/subscribers.ts";
import { encountersOf } from "../../../../../projections/webhooks/signals/track-encounters.ts";
import type { Detection } from "../../../../../schemas/events.ts";
import { type Camera, createCamera, created, expired, recorded, seen, T0 } from "../../live/camera.ts";
import { createRandom, type Random } from "../../live/random-log.ts";
import { expectedInteractions, type Seen } from "./encounter-oracle.ts";
import { inBatches, toAll } from "./subscribed.ts";

const iso = (at: number): string => new Date(T0 + at).toISOString();

function interactionsOf({ out }: Camera, trackId: string, key = "s"): Interaction[] {
  const signal = out.lists.signals.find((each) => each.subjectId === trackId && each.subscriptionId === key);
  return JSON.parse(signal?.state ?? "{}").interactions;
}

function approachesOf({ state }: Camera, trackId: string) {
  const track = state.tracks.get(trackId);
  return (track && encountersOf(track)?.approaches) ?? new Map<string, unknown>();
}

/** Boxes are 10 wide. */
const at = (trackId: string, time: number, x: number): Detection => seen(time, x, { trackId });

test("a subscription in batch mode hears only of expired tracks, with those that came near", () => {
  const camera = createCamera({ subscriptions: toAll(inBatches({ pixelProximityThreshold: 40 })) });
  camera.fold(created({ trackId: "a", tag: "person" }), created({ trackId: "b", tag: "car" }));

  camera.fold(recorded(at("a", 0, 0), at("b", 0, 100)), recorded(at("a", 1_000, 0), at("b", 1_000, 50)));
  camera.fold(recorded(at("a", 2_000, 0), at("b", 2_000, 5)), recorded(at("a", 3_000, 0), at("b", 3_000, 6)));
  camera.fold(expired(3_000, "a"));

  expect(camera.out.lists.signals.map(({ signal, subjectId }) => `${signal} ${subjectId}`)).toEqual([
    "track_expired a",
  ]);
  expect(interactionsOf(camera, "a")).toEqual([
    {
      track_id: "b",
      tag: "car",
      first_interaction_at: iso(1_000),
      last_interaction_at: iso(3_000),
      total_duration: 2,
      proximity: {
        interaction_count: 3,
        pix: { min_distance: 0, avg_distance: 40 / 3, min_distance_at: iso(2_000) },
      },
      overlap: {
        overlap_count: 2,
        max_overlap_percent: 0.5,
        max_overlap_at: iso(2_000),
        total_overlap_duration: 1,
      },
    },
  ]);
});

test("the other track is interpolated between its detections within a second before and after", () => {
  const near = (pixels: number, before: number, after: number): number => {
    const camera = createCamera({ subscriptions: toAll(inBatches({ pixelProximityThreshold: pixels })) });
    camera.fold(recorded(at("b", before, 100)), recorded(at("a", 2_000, 0)), recorded(at("b", after, 0)));
    camera.fold(expired(2_000, "a"));
    return interactionsOf(camera, "a").length;
  };

  // Halfway, b is at 50: 40 px between the edges.
  expect([near(39, 1_000, 3_000), near(40, 1_000, 3_000)]).toEqual([0, 1]);
  expect([near(1_000, 999, 2_500), near(1_000, 1_500, 3_001)]).toEqual([0, 0]);
});

test("touching boxes have distance 0, but do not overlap", () => {
  const camera = createCamera({ subscriptions: toAll(inBatches({ pixelProximityThreshold: 0 })) });

  camera.fold(recorded(at("a", 0, 0), at("b", 0, 10)), expired(0, "a"));

  const [interaction] = interactionsOf(camera, "a");
  expect(interaction?.proximity.pix?.min_distance).toBe(0);
  expect(interaction?.overlap).toBeUndefined();
});

test("only tags of the subscription take part, on both sides", () => {
  const camera = createCamera({ subscriptions: toAll(inBatches({ filters: { tags: ["PERSON"] } })) });
  camera.fold(
    ...Object.entries({ a: "person", b: "car", c: "Person" }).map(([trackId, tag]) => created({ trackId, tag })),
  );

  camera.fold(recorded(at("a", 0, 0), at("b", 0, 0), at("c", 0, 0)));
  camera.fold(expired(0, "a"), expired(0, "b"));

  expect(camera.out.lists.signals.map(({ subjectId }) => subjectId)).toEqual(["a"]);
  expect(interactionsOf(camera, "a").map(({ track_id }) => track_id)).toEqual(["c"]);
});

test("a new stretch begins without the encounters of the last one", () => {
  const camera = createCamera({ subscriptions: toAll(inBatches()) });
  camera.fold(recorded(at("a", 0, 0), at("b", 0, 0)), recorded(at("a", 20_000, 0)), expired(20_000, "a"));

  const states = camera.out.lists.signals
    .filter(({ subjectId }) => subjectId === "a")
    .map(({ state }) => JSON.parse(state));

  expect(states.map(({ interactions }) => interactions.length)).toEqual([1, 0]);
});

/** Walkers that meet; the log has their detections up to almost a second out of order. */
function walk(random: Random): Seen[] {
  const all: Seen[] = [];
  for (const trackId of ["a", "b", "c", "d"]) {
    let [x, longitude] = [random() * 200, random() * 0.0004];
    for (
      let time = Math.floor(random() * 2_000);
      time < 20_000;
      time += 100 + Math.floor(random() * (random() < 0.1 ? 2_500 : 900))
    ) {
      x += random() * 40 - 20;
      longitude += (random() - 0.5) * 0.0001;
      // Half of them share their timestamps.
      const when = random() < 0.5 ? time - (time % 100) : time;
      const last = all.findLast((each) => each.trackId === trackId);
      if (last !== undefined && when <= last.at) continue;
      all.push({
        ...{ trackId, at: when },
        box: random() < 0.9 ? { left: x - 5 - random() * 10, right: x + 5, top: 0, bottom: 10 } : null,
        place: random() < 0.6 ? { longitude, latitude: 50 } : null,
      });
    }
  }
  const delayed = all.map((each) => ({ each, turn: each.at + (each.trackId < "c" ? 0 : random() * 450) }));
  const inOrder = new Map<string, number>();
  return delayed
    .map(({ each, turn }) => {
      const later = Math.max(turn, inOrder.get(each.trackId) ?? 0);
      inOrder.set(each.trackId, later);
      return { each, later };
    })
    .sort((a, b) => a.later - b.later)
    .map(({ each }) => each);
}

function detectionOf({ trackId, at: time, box, place }: Seen): Detection {
  const rings = box && [
    [box.left, box.top, box.right, box.top, box.right, box.bottom, box.left, box.bottom, box.left, box.top],
  ];
  return seen(time, 0, {
    trackId,
    polygon: rings && { rings, crs: null },
    position: place && { ...place, altitude: null, crs: null },
  });
}

test("interactions are those of brute force over the whole recording, for each pair of thresholds", () => {
  let [found, overlapping] = [0, 0];
  for (let seed = 1; seed <= 20; seed++) {
    const recording = walk(createRandom(seed));
    const thresholds = [
      [10, 2],
      [60, 0],
      [0, 8],
    ] as const;
    const subscriptions = thresholds.map(([pixelProximityThreshold, geoProximityThresholdM], i) =>
      inBatches({ key: `${i}`, pixelProximityThreshold, geoProximityThresholdM }),
    );
    const camera = createCamera({ subscriptions: toAll(...subscriptions) });

    for (const each of recording) camera.fold(recorded(detectionOf(each)));
    for (const trackId of ["a", "b", "c", "d"]) {
      camera.fold(expired((camera.state.tracks.get(trackId)?.lastSeen ?? T0) - T0, trackId));
      for (const [i, [pixels, metres]] of thresholds.entries()) {
        const actual = interactionsOf(camera, trackId, `${i}`);
        const expected = expectedInteractions(recording, trackId, { pixels, metres }, iso);
        expect(rounded(actual), `seed ${seed}, ${trackId}, ${i}`).toEqual(rounded(expected));
        found += actual.length;
        overlapping += actual.filter(({ overlap }) => overlap !== undefined).length;
      }
    }
  }
  expect(found).toBeGreaterThan(200);
  expect(overlapping).toBeGreaterThan(100);
});

/** The two compute distances in another order. */
const rounded = (interactions: readonly Interaction[]): unknown =>
  JSON.parse(JSON.stringify(interactions), (_, value) =>
    typeof value === "number" ? Number(value.toFixed(6)) : value,
  );

test("a track in a crowd keeps the encounters that were last", () => {
  const camera = createCamera({ subscriptions: toAll(inBatches()) });
  const others = Array.from({ length: 250 }, (_, i) => [at("a", i * 100, 0), at(`o${i}`, i * 100, 0)]);

  camera.fold(...others.map((detections) => recorded(...detections)), expired(24_900, "a"));

  const near = interactionsOf(camera, "a").map(({ track_id }) => track_id);
  expect([near.length, near[0], near.at(-1)]).toEqual([100, "o150", "o249"]);
});

test("however many pairs of thresholds there are, a track's stored text stays below 288 KiB", () => {
  const pairs = Array.from({ length: 24 }, (_, i) => inBatches({ key: `s${i}`, pixelProximityThreshold: 51 + i }));
  const camera = createCamera({ subscriptions: toAll(inBatches(), ...pairs) });
  const place = { longitude: 13.377_704_123_456, latitude: 52.516_275_123_456, altitude: null, crs: null };
  const id = (i: number) => `0198c7f2-6b1e-7c3a-9d52-${String(i).padStart(12, "0")}`;
  for (let i = 0; i < 120; i++) {
    const time = i * 100;
    const other = { trackId: id(i), position: { ...place, longitude: place.longitude + i / 3e7 } };
    camera.fold(recorded(seen(time, 0, { trackId: "a", position: place }), seen(time, 1 / 3, other)));
  }
  camera.fold(expired(11_900, "a"));

  const track = camera.state.tracks.get("a");
  expect([interactionsOf(camera, "a").length, interactionsOf(camera, "a", "s0").length]).toEqual([100, 25]);
  expect(track && storeTrack(track).length).toBeLessThan(288 * 1_024);
});

test("a pair of thresholds counts what was recorded since the first subscription with it, also when it is known before", () => {
  const first = inBatches({ createdAt: T0 });
  const later = inBatches({ key: "later", pixelProximityThreshold: 60, createdAt: T0 + 2_000 });
  const fold = (subscriptionsAt: (time: number) => SourceSubscribers) => {
    let subscriptions = subscriptionsAt(0);
    const camera = createCamera({ subscriptions: { of: (id) => subscriptions.of(id) } });
    for (let time = 0; time <= 4_000; time += 500) {
      subscriptions = subscriptionsAt(time);
      camera.fold(recorded(at("a", time, 0), at("b", time, 5)));
    }
    camera.fold(expired(4_000, "a"));
    return ["s", "later"].map((key) => interactionsOf(camera, "a", key));
  };
  const both = toAll(first, later);

  const rebuilt = fold(() => both);

  expect(rebuilt).toEqual(fold((time) => (time < 2_000 ? toAll(first) : both)));
  expect(rebuilt.map(([each]) => each?.first_interaction_at)).toEqual([iso(0), iso(2_000)]);
});

test("thresholds that no subscription has any more leave the state of a track that stays", () => {
  let subscriptions = toAll(inBatches());
  const camera = createCamera({ subscriptions: { of: (id) => subscriptions.of(id) } });
  for (let i = 0; i < 50; i++) {
    subscriptions = toAll(inBatches({ key: "stays" }), inBatches({ key: "changes", pixelProximityThreshold: 100 + i }));
    camera.fold(recorded(at("a", i * 100, 0), at("b", i * 100, 0)));
  }
  camera.fold(expired(4_900, "a"));

  expect([...approachesOf(camera, "a").keys()]).toEqual(["50 5", "149 5"]);
  expect(interactionsOf(camera, "a", "stays")[0]?.proximity.interaction_count).toBe(50);
});
