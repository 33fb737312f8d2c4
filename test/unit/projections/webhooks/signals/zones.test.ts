import { expect, test } from "vitest";
import { everything } from "../../../../../projections/live/persist.ts";
import { activeTrackFields, trackState, zoneState } from "../../../../../projections/live/views.ts";
import { compositionsOf } from "../../../../../projections/webhooks/signals/compositions.ts";
import type { SourceSubscribers } from "../../../../../projections/webhooks/signals/subscribers.ts";
import type { Detection } from "../../../../../schemas/events.ts";
import { twinField } from "../../../../../schemas/redis-keys.ts";
import { trackTexts } from "../../../../support/scenes/stored-state.ts";
import {
  type Camera,
  createCamera,
  created,
  deleted,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  polygon,
  recorded,
  rectangle,
  redrawn,
  seen,
} from "../../live/camera.ts";
import { createRandom, randomLog } from "../../live/random-log.ts";
import { ofZones, reported, subscribed, toAll } from "./subscribed.ts";

const other = (at: number, x: number): Detection => seen(at, x, { trackId: "u" });

function compositionsIn({ state }: Camera) {
  const zone = state.zones.get("z");
  return zone && compositionsOf(zone);
}

function signalsOf(subscriptions: SourceSubscribers, fold: (camera: Camera) => void): string[] {
  const camera = createCamera({ subscriptions });
  camera.fold(drawn());
  fold(camera);
  return camera.out.lists.signals.map(reported);
}

test("the first track occupies a zone, the last one leaves it empty", () => {
  const signals = signalsOf(toAll(ofZones()), (camera) => {
    camera.fold(recorded(seen(0, INSIDE)), recorded(other(1_000, INSIDE)), recorded(seen(2_000, INSIDE)));
    camera.fold(recorded(seen(3_000, OUTSIDE)), recorded(seen(4_000, OUTSIDE)), expired(1_000, "u"));
  });

  expect(signals).toEqual([
    "zone_occupied z@0",
    "zone_updated z@1",
    "zone_updated z@2",
    "zone_updated z@3",
    "zone_empty z@1",
  ]);
});

test("what a subscription sees of a zone is that of its tags", () => {
  const camera = createCamera({ subscriptions: toAll(ofZones({ filters: { tags: ["car"] } })) });
  camera.fold(drawn(), created({ tag: "person" }), created({ trackId: "u", tag: "Car" }));

  camera.fold(recorded(seen(0, INSIDE)), recorded(other(1_000, INSIDE)));
  camera.fold(recorded(seen(2_000, INSIDE)), recorded(other(3_000, OUTSIDE)));

  expect(camera.out.lists.signals.map(reported)).toEqual(["zone_occupied z@1", "zone_empty z@3"]);
  const [occupied, empty] = camera.out.lists.signals.map(({ state }) => JSON.parse(state));
  expect(Object.keys(occupied.active_tracks)).toEqual(["u"]);
  expect(occupied).toMatchObject({ track_count: 1, trigger_track_id: "u", trigger_tag: "Car" });
  expect(empty).toMatchObject({ track_count: 0, active_tracks: {} });
});

test("only the zones that a subscription names count for it", () => {
  const signals = signalsOf(toAll(ofZones({ filters: { zoneIds: ["y"] } })), (camera) => {
    camera.fold(drawn({ zoneId: "y", polygon: polygon(rectangle(300, 0, 400, 100)) }));
    camera.fold(recorded(seen(0, INSIDE)), recorded(seen(1_000, 350)));
  });

  expect(signals).toEqual(["zone_occupied y@1"]);
});

test("a track whose tag becomes one of the subscription's enters its view, and leaves it with another", () => {
  const signals = signalsOf(toAll(ofZones({ filters: { tags: ["person"] } })), (camera) => {
    camera.fold(recorded(seen(0, INSIDE)), created({ tag: "person" }), recorded(seen(1_000, INSIDE)));
    camera.fold({ type: "TrackUpdated", event: { ...headerOf("t"), tag: "car" } });
  });

  expect(signals).toEqual(["zone_occupied z@0", "zone_updated z@1", "zone_empty z@1"]);
});

const headerOf = (trackId: string) => ({
  ...{ trackId, dataSourceId: "cam", tag: null, startTime: null, endTime: null },
  ...{ properties: null, metadata: null, detections: [], cleared: [] },
});

test("a zone that is deleted, switched off or redrawn is left by all at once", () => {
  const fill = (camera: Camera) => camera.fold(recorded(seen(0, 120), other(0, 180)));

  for (const end of [deleted(), redrawn({ active: false }), redrawn({ polygon: polygon(rectangle(0, 0, 9, 9)) })]) {
    const signals = signalsOf(toAll(ofZones()), (camera) => {
      fill(camera);
      camera.fold(end);
    });
    expect(signals).toEqual(["zone_occupied z@0", "zone_updated z@0", "zone_empty z@0"]);
  }
  const signals = signalsOf(toAll(ofZones()), (camera) => {
    fill(camera);
    camera.fold(redrawn({ polygon: polygon(rectangle(150, 0, 200, 100)) }));
  });
  expect(signals.at(-1)).toBe("zone_updated z@0");
});

test("within an exit delay a detection outside is no update", () => {
  const camera = createCamera({ subscriptions: toAll(ofZones()) });
  camera.fold(drawn({ exitDelayMs: 3_000 }), recorded(seen(0, INSIDE)), recorded(seen(1_000, OUTSIDE)));

  camera.fold(recorded(seen(5_000, OUTSIDE)));

  expect(camera.out.lists.signals.map(reported)).toEqual(["zone_occupied z@0", "zone_empty z@5"]);
});

const composition = { zoneEmitMode: "composition", heartbeatSeconds: 10 } as const;

test("in composition mode an update is told when the tags in the zone have changed", () => {
  const signals = signalsOf(toAll(ofZones(composition)), (camera) => {
    camera.fold(created({ tag: "person" }), created({ trackId: "u", tag: "car" }));
    camera.fold(recorded(seen(0, INSIDE)), recorded(seen(1_000, INSIDE)), recorded(other(2_000, INSIDE)));
    camera.fold(recorded(seen(3_000, INSIDE)), recorded(seen(4_000, OUTSIDE)), recorded(other(5_000, OUTSIDE)));
  });

  expect(signals).toEqual([
    "zone_occupied z@0",
    "zone_updated z@2 composition_changed",
    "zone_updated z@4 composition_changed",
    "zone_empty z@5",
  ]);
});

test("an object that goes on under another track id in the same frame is no change", () => {
  const signals = signalsOf(toAll(ofZones(composition)), (camera) => {
    camera.fold(recorded(seen(0, INSIDE), other(0, OUTSIDE)), recorded(seen(1_000, OUTSIDE), other(1_000, INSIDE)));
  });

  expect(signals).toEqual(["zone_occupied z@0"]);
});

test("the detections of a message with different timestamps are different frames", () => {
  const signals = signalsOf(toAll(ofZones(composition)), (camera) => {
    camera.fold(recorded(seen(0, INSIDE), other(1_000, INSIDE), other(2_000, OUTSIDE)));
  });

  expect(signals).toEqual([
    "zone_occupied z@0",
    "zone_updated z@1 composition_changed",
    "zone_updated z@2 composition_changed",
  ]);
});

test("a heartbeat is told with the first update that is late enough", () => {
  const signals = signalsOf(toAll(ofZones(composition)), (camera) => {
    camera.fold(...[0, 9_000, 11_000, 15_000, 21_000].map((at) => recorded(seen(at, INSIDE))));
  });

  expect(signals).toEqual(["zone_occupied z@0", "zone_updated z@11 heartbeat", "zone_updated z@21 heartbeat"]);
});

test("whoever subscribes while a zone is occupied is told its composition with the next update", () => {
  let subscriptions = toAll(ofZones(composition));
  const camera = createCamera({ subscriptions: { of: (id) => subscriptions.of(id) } });
  camera.fold(drawn(), recorded(seen(0, INSIDE)));
  subscriptions = toAll(ofZones({ ...composition, createdAt: 1 }), ofZones({ ...composition, key: "late" }));

  camera.fold(recorded(seen(1_000, INSIDE)), recorded(seen(2_000, INSIDE)));

  expect(camera.out.lists.signals.map((signal) => `${signal.subscriptionId} ${reported(signal)}`)).toEqual([
    "s zone_occupied z@0",
    "s zone_updated z@1 composition_changed",
    "late zone_updated z@1 composition_changed",
  ]);
});

test("the compositions of subscriptions that are gone are dropped", () => {
  let subscriptions = toAll(ofZones(composition));
  const camera = createCamera({ subscriptions: { of: (id) => subscriptions.of(id) } });
  camera.fold(drawn(), recorded(seen(0, INSIDE)));
  subscriptions = toAll(ofZones({ ...composition, key: "new" }));

  camera.fold(recorded(seen(1_000, INSIDE)));

  expect([...(compositionsIn(camera)?.keys() ?? [])]).toEqual(["new"]);
});

test("what is kept of a composition is short, and a change of it is told all the same", () => {
  const camera = createCamera({ subscriptions: toAll(ofZones(composition)) });
  const tracks = Array.from({ length: 100 }, (_, i) => `t${i}`);
  camera.fold(drawn(), ...tracks.map((trackId) => created({ trackId, tag: trackId })));
  const allAt = (at: number) => recorded(...tracks.map((trackId) => seen(at, INSIDE, { trackId })));

  camera.fold(allAt(0), allAt(1_000), created({ trackId: "t100", tag: "new" }), allAt(2_000));
  camera.fold(recorded(seen(3_000, INSIDE, { trackId: "t100" })));

  expect(camera.out.lists.signals.map(reported)).toEqual(["zone_occupied z@0", "zone_updated z@3 composition_changed"]);
  expect(compositionsIn(camera)?.get("s")?.counts.length).toBeLessThan(300);
});

/** Messages of one detection or none: several may change a subject twice, and only the last state can be read then. */
test("the state in a signal is what REST would answer at that moment", () => {
  const compared = { tracks: 0, zones: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const camera = createCamera({ subscriptions: toAll(subscribed(), ofZones({ key: "z" })) });
    for (const message of randomLog(createRandom(seed), 200)) {
      if (message.type === "DetectionsRecorded")
        Object.assign(message.event, { detections: message.event.detections.slice(0, 1) });
      const before = camera.out.lists.signals.length;
      camera.fold(message);
      const { tracks, zones, past } = everything(camera.state);
      for (const { signal, subjectId, dataSourceId, state, expiredBy } of camera.out.lists.signals.slice(before)) {
        const text = signal.startsWith("track")
          ? (tracks.get(twinField(dataSourceId ?? "", subjectId)) ?? tracks.get(subjectId))
          : zones.get(subjectId);
        if (text == null || expiredBy === "event_time" || isTakenBack(camera, before, subjectId)) continue;
        const answer = signal.startsWith("track")
          ? trackState(trackTexts(text, past))
          : zoneState(
              text,
              activeTrackFields(text).map((id) => tracks.get(id) ?? null),
            );
        expect(JSON.parse(state), `seed ${seed}: ${signal}`).toEqual(JSON.parse(JSON.stringify(answer)));
        compared[signal.startsWith("track") ? "tracks" : "zones"]++;
      }
    }
  }
  expect(compared.tracks).toBeGreaterThan(200);
  expect(compared.zones).toBeGreaterThan(200);
});

/** A detection after a gap ends one stretch and begins the next. */
const isTakenBack = (camera: Camera, from: number, subjectId: string): boolean =>
  camera.out.lists.signals.slice(from).filter((signal) => signal.subjectId === subjectId).length > 1;
