import { expect, test } from "vitest";
import { takeTouched, textKinds } from "../../../../../projections/live/partition.ts";
import { everything, restore } from "../../../../../projections/live/persist.ts";
import { createSignalListener } from "../../../../../projections/webhooks/signals/signal-listener.ts";
import type { CameraLogEvent } from "../../../../../schemas/events.ts";
import type { SignalRaised } from "../../../../../schemas/records/signal-raised.ts";
import { storedOf } from "../../../../support/scenes/stored-state.ts";
import {
  type Camera,
  createCamera,
  created,
  drawn,
  expired,
  polygon,
  recorded,
  rectangle,
  seen,
  T0,
} from "../../live/camera.ts";
import { below, createRandom, type Random, randomLog } from "../../live/random-log.ts";
import {
  expectedOfCompositions,
  expectedOfTracks,
  expectedOfZones,
  type Scene,
  type Step,
  type Steps,
  type View,
} from "./oracle.ts";
import { inBatches, ofZones, reported, subscribed, toAll } from "./subscribed.ts";

const zones = { a: { left: 0, right: 100 }, b: { left: 80, right: 180 }, c: { left: 250, right: 300 } };
const tags = { t0: "person", t1: "Person", t2: "car", t3: "bus" };
const trackIds = Object.keys(tags);

const views: Readonly<Record<string, View>> = {
  all: { tags: [], zoneIds: [] },
  people: { tags: ["PERSON"], zoneIds: [] },
  vehicles: { tags: ["car", "bus"], zoneIds: ["b", "c"] },
  nobody: { tags: ["cat"], zoneIds: [] },
};

/** One detection or expiry each. */
function singleSteps(random: Random): Steps[] {
  const messages: Steps[] = [];
  const lastSeen = new Map<string, number>();
  for (let at = 0; messages.length < 120; ) {
    at += random() < 0.03 ? 20_000 : 1 + below(random, 3_000);
    const trackId = trackIds[below(random, trackIds.length)] ?? "";
    if (random() < 0.1 && lastSeen.has(trackId)) messages.push([{ kind: "expired", trackId }]);
    else messages.push([{ kind: "seen", trackId, at, x: below(random, 350) }]);
    lastSeen.set(trackId, at);
  }
  return messages;
}

/** Frames of several detections with one timestamp. */
function frames(random: Random): Steps[] {
  return Array.from({ length: 60 }, (_, i): Steps => {
    if (random() < 0.1) return [{ kind: "expired", trackId: trackIds[below(random, trackIds.length)] ?? "" }];
    const present = trackIds.filter(() => random() < 0.8);
    return present.map((trackId): Step => ({ kind: "seen", trackId, at: i * 500, x: below(random, 350) }));
  });
}

function play(messages: readonly Steps[], camera: Camera): Camera {
  camera.fold(...Object.entries(zones).map(([zoneId, { left, right }]) => drawnAt(zoneId, left, right)));
  camera.fold(...Object.entries(tags).map(([trackId, tag]) => created({ trackId, tag })));
  for (const message of messages) camera.fold(...messagesOf(message, camera));
  return camera;
}

const drawnAt = (zoneId: string, left: number, right: number): CameraLogEvent =>
  drawn({ zoneId, polygon: polygon(rectangle(left, 0, right, 100)) });

function messagesOf(steps: Steps, camera: Camera): CameraLogEvent[] {
  const detections = steps.flatMap((step) =>
    step.kind === "seen" ? [seen(step.at, step.x, { trackId: step.trackId })] : [],
  );
  const ends = steps.flatMap((step) => {
    const lastSeen = camera.state.tracks.get(step.trackId)?.lastSeen;
    return step.kind === "expired" && lastSeen !== undefined ? [expired(lastSeen - T0, step.trackId)] : [];
  });
  return detections.length > 0 ? [recorded(...detections)] : ends;
}

const ofView = ({ lists }: Camera["out"], key: string): string[] =>
  lists.signals.filter(({ subscriptionId }) => subscriptionId === key).map(reported);

test("signals of tracks are those of brute force, for every filter", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const scene: Scene = { zones, tags, messages: singleSteps(createRandom(seed)) };
    const subscriptions = Object.entries(views).map(([key, view]) =>
      subscribed({ key, filters: { tags: [...view.tags] } }),
    );

    const { out } = play(scene.messages, createCamera({ subscriptions: toAll(...subscriptions) }));

    for (const [key, view] of Object.entries(views)) {
      expect(ofView(out, key), `seed ${seed}, ${key}`).toEqual(expectedOfTracks(scene, view));
    }
  }
});

test("signals of zones are those of brute force, for every filter", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const scene: Scene = { zones, tags, messages: singleSteps(createRandom(seed)) };
    const subscriptions = Object.entries(views).map(([key, filters]) => ofZones({ key, filters }));

    const { out } = play(scene.messages, createCamera({ subscriptions: toAll(...subscriptions) }));

    for (const [key, view] of Object.entries(views)) {
      expect(ofView(out, key), `seed ${seed}, ${key}`).toEqual(expectedOfZones(scene, view));
    }
  }
});

test("changed compositions and heartbeats are those of counting anew after each frame", () => {
  for (let seed = 1; seed <= 15; seed++) {
    const scene: Scene = { zones, tags, messages: frames(createRandom(seed)) };
    const subscriptions = Object.entries(views).map(([key, filters]) =>
      ofZones({ key, filters, zoneEmitMode: "composition", heartbeatSeconds: 2 }),
    );

    const { out } = play(scene.messages, createCamera({ subscriptions: toAll(...subscriptions) }));

    for (const [key, view] of Object.entries(views)) {
      const expected = expectedOfCompositions(scene, view, 2_000);
      expect(ofView(out, key).sort(), `seed ${seed}, ${key}`).toEqual(expected.sort());
    }
  }
});

test.each([0, 2_000])("a restart in the middle raises what no restart raises (reorder %i ms)", (reorderMs) => {
  const subscriptions = toAll(
    subscribed({ key: "tracks" }),
    ofZones({ key: "zones", filters: { tags: ["car"] } }),
    ofZones({ key: "compositions", zoneEmitMode: "composition", heartbeatSeconds: 3 }),
    inBatches({ key: "batch", pixelProximityThreshold: 20 }),
  );
  let interactions = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const random = createRandom(seed);
    const log = randomLog(random, 150);
    const cut = below(random, log.length);
    const straight = createCamera({ subscriptions, reorderMs });
    const interrupted = createCamera({ subscriptions, reorderMs });

    straight.fold(...log);
    interrupted.fold(...log.slice(0, cut));
    interrupted.state = restore(3, storedOf(interrupted.state), -1, createSignalListener(subscriptions));
    interrupted.fold(...log.slice(cut));

    expect(byIdAndState(interrupted.out.lists.signals), `seed ${seed}`).toEqual(
      byIdAndState(straight.out.lists.signals),
    );
    interactions += straight.out.lists.signals.filter(({ state }) => !state.includes('"interactions":[]')).length;
  }
  expect(interactions).toBeGreaterThan(5);
});

test("what touches a store between rounds is enough to go on from", () => {
  const subscriptions = toAll(ofZones({ zoneEmitMode: "composition" }), inBatches({ key: "batch" }));
  for (let seed = 1; seed <= 20; seed++) {
    const camera = createCamera({ subscriptions });
    const store = { tracks: new Map(), sources: new Map(), zones: new Map(), past: new Map() };
    const random = createRandom(seed);
    for (const message of randomLog(random, 200)) {
      camera.fold(message);
      if (random() < 0.3) write(store, takeTouched(camera.state));
    }
    write(store, takeTouched(camera.state));

    expect(sorted(store), `seed ${seed}`).toEqual(sorted(everything(camera.state)));
  }
});

type Texts = Record<(typeof textKinds)[number], Map<string, string | null>>;

function write(store: Texts, touched: Texts): void {
  for (const kind of textKinds) {
    for (const [id, json] of touched[kind]) {
      if (json === null) store[kind].delete(id);
      else store[kind].set(id, json);
    }
  }
}

const sorted = (texts: Texts) => Object.values(texts).map((each) => [...each].sort(([a], [b]) => (a < b ? -1 : 1)));

const byIdAndState = (signals: readonly SignalRaised[]) => signals.map(({ id, state }) => `${id} ${state}`);
