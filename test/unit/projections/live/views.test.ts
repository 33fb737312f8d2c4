import { expect, test } from "vitest";
import { everything } from "../../../../projections/live/persist.ts";
import { stamp } from "../../../../projections/live/stored.ts";
import { activeTrackFields, trackState, zoneState } from "../../../../projections/live/views.ts";
import { trackTexts } from "../../../support/scenes/stored-state.ts";
import {
  type Camera,
  createCamera,
  created,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  polygon,
  recorded,
  rectangle,
  redrawn,
  seen,
  T0,
  updated,
} from "./camera.ts";

const iso = (at: number): string => new Date(T0 + at).toISOString();

function trackOf(camera: Camera, trackId = "t") {
  const { tracks, past } = everything(camera.state);
  return trackState(trackTexts(tracks.get(trackId) ?? "", past));
}

function zoneOf(camera: Camera, zoneId = "z") {
  const { zones, tracks } = everything(camera.state);
  const json = zones.get(zoneId) ?? "";
  return zoneState(
    json,
    activeTrackFields(json).map((field) => tracks.get(field) ?? null),
  );
}

const noGround = {
  velocity: null,
  distance: null,
  instantaneous_velocity: null,
  instantaneous_direction: null,
  sample_count: null,
};

test("a track with one detection has no velocity yet", () => {
  const camera = createCamera();
  camera.fold(created({ startTime: T0 - 500 }), recorded(seen(0, OUTSIDE)));

  expect(trackOf(camera)).toEqual({
    track_id: "t",
    tag: "person",
    datasource_id: "cam",
    datasource_name: null,
    device_id: null,
    site_id: null,
    site_name: null,
    track_start: iso(-500),
    first_seen: iso(0),
    last_seen: iso(0),
    track_age: "0.000",
    detection_count: 1,
    position: {
      pix: { x: OUTSIDE, y: 50 },
      geo: { lon: null, lat: null },
      polygon: {
        coordinates: [
          [
            [45, 45],
            [55, 45],
            [55, 55],
            [45, 55],
            [45, 45],
          ],
        ],
      },
    },
    motion: {
      pix: {
        velocity: null,
        distance: 0,
        instantaneous_velocity: null,
        instantaneous_direction: null,
        sample_count: 0,
      },
      geo: noGround,
    },
    zones: { active: {}, history: [], sequence: [] },
    interactions: [],
    updated_at: iso(0),
    applied_at: null,
  });
});

test("velocity is the mean of the pairs' speeds, distance the length of the path, direction clockwise from up", () => {
  const camera = createCamera();

  camera.fold(recorded(seen(0, 0), seen(1_000, 30), seen(3_000, 10)));

  expect(trackOf(camera)?.motion.pix).toEqual({
    velocity: 20,
    distance: 50,
    instantaneous_velocity: 10,
    instantaneous_direction: 270,
    sample_count: 2,
  });
  expect(trackOf(camera)?.track_age).toBe("3.000");
});

test.each([
  [0, -10, 0],
  [10, 0, 90],
  [0, 10, 180],
  [0, 0, null],
])("a step of (%i, %i) has the direction %s", (dx, dy, expected) => {
  const camera = createCamera();
  const box = polygon(rectangle(45 + dx, 45 + dy, 55 + dx, 55 + dy));

  camera.fold(recorded(seen(0, 50), seen(1_000, 0, { polygon: box })));

  expect(trackOf(camera)?.motion.pix.instantaneous_direction).toBe(expected);
});

test("positions give motion in metres", () => {
  const camera = createCamera();
  const at = (longitude: number, latitude: number) => ({ longitude, latitude, altitude: null, crs: null });

  camera.fold(
    recorded(seen(0, 0, { position: at(10, 50) }), seen(500, 0), seen(1_000, 0, { position: at(10, 50.0001) })),
  );

  const track = trackOf(camera);
  expect(track?.position.geo).toEqual({ lon: 10, lat: 50.0001 });
  expect(track?.motion.geo).toMatchObject({ instantaneous_direction: 0, sample_count: 1 });
  expect(track?.motion.geo.velocity).toBeCloseTo(11.12, 2);
  expect(track?.motion.geo.distance).toBeCloseTo(11.12, 2);
});

test("an active zone entry tells since when, how often and how far inside", () => {
  const camera = createCamera();

  camera.fold(drawn(), recorded(seen(0, 50), seen(1_000, 100), seen(2_500, INSIDE)));

  expect(trackOf(camera)?.zones).toEqual({
    active: {
      z: {
        zone_id: "z",
        zone_name: "door",
        entered_at: iso(1_000),
        dwell_time: 1.5,
        detection_count: 2,
        intersection: { current_percent: 100, avg_percent: 75, sample_count: 2 },
        motion: {
          pix: {
            velocity: 50 / 1.5,
            distance: 50,
            instantaneous_velocity: 50 / 1.5,
            instantaneous_direction: 90,
            sample_count: 1,
          },
          geo: noGround,
        },
      },
    },
    history: [],
    sequence: [{ zone_id: "z", entered_at: iso(1_000) }],
  });
});

test("a zone left stands in the history with the position of the first detection outside", () => {
  const camera = createCamera();

  camera.fold(drawn(), recorded(seen(0, 102), seen(1_000, 100), seen(2_000, OUTSIDE)));

  const zones = trackOf(camera)?.zones;
  expect(zones?.active).toEqual({});
  expect(zones?.history).toMatchObject([
    {
      zone_id: "z",
      entered_at: iso(0),
      exited_at: iso(2_000),
      dwell_time: 2,
      detection_count: 2,
      intersection: { current_percent: 50, avg_percent: 60, sample_count: 2 },
      exit_position: { pix: { x: OUTSIDE, y: 50 } },
    },
  ]);
});

test("history is newest first, sequence oldest first; coming back to the last zone adds no entry to it", () => {
  const camera = createCamera();
  const left = polygon(rectangle(0, 0, 90, 100));

  camera.fold(
    drawn(),
    drawn({ zoneId: "l", polygon: left }),
    recorded(...[INSIDE, 300, INSIDE, OUTSIDE, INSIDE, 300].map((x, i) => seen(i * 1_000, x))),
  );

  const zones = trackOf(camera)?.zones;
  expect(zones?.history.map((entry) => [entry.zone_id, entry.exited_at])).toEqual([
    ["z", iso(5_000)],
    ["l", iso(4_000)],
    ["z", iso(3_000)],
    ["z", iso(1_000)],
  ]);
  expect(zones?.sequence.map((entry) => entry.zone_id)).toEqual(["z", "l", "z"]);
});

test("at expiry active zones close with the last detection; taken back, they are active again", () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE), seen(1_000, INSIDE)), expired(1_000));

  const track = trackOf(camera);
  expect(track?.track_end).toBe(iso(16_000));
  expect(track?.zones.active).toEqual({});
  expect(track?.zones.history).toMatchObject([{ exited_at: iso(1_000), exit_position: { pix: { x: INSIDE } } }]);

  camera.fold(recorded(seen(2_000, INSIDE)));
  expect(trackOf(camera)).not.toHaveProperty("track_end");
  expect(trackOf(camera)?.detection_count).toBe(3);
  expect(trackOf(camera)?.zones).toMatchObject({ active: { z: { detection_count: 3 } }, history: [] });
});

test("a new stretch starts live state anew", () => {
  const camera = createCamera();

  camera.fold(drawn(), created(), recorded(seen(0, INSIDE), seen(1_000, OUTSIDE), seen(16_001, OUTSIDE)));

  expect(trackOf(camera)).toMatchObject({ track_start: iso(0), first_seen: iso(16_001), detection_count: 1 });
  expect(trackOf(camera)?.zones).toEqual({ active: {}, history: [], sequence: [] });
});

test("an explicitly ended track names its end; a header alone is not a track yet", () => {
  const camera = createCamera();

  camera.fold(recorded(seen(0, INSIDE)), updated({ endTime: T0 + 700 }), created({ trackId: "u" }));

  expect(trackOf(camera)?.track_end).toBe(iso(700));
  expect(trackOf(camera, "u")).toBeNull();
});

test("a zone lists who is in it and who changed it last", () => {
  const camera = createCamera();
  camera.fold(drawn(), created(), recorded(seen(0, INSIDE)), recorded(seen(500, INSIDE, { trackId: "u" })));

  expect(zoneOf(camera)).toMatchObject({
    zone_id: "z",
    zone_name: "door",
    datasource_id: "cam",
    track_count: 2,
    updated_at: iso(500),
    trigger_track_id: "u",
    trigger_tag: "",
  });

  camera.fold(recorded(seen(900, INSIDE)));
  const zone = zoneOf(camera);
  expect(zone).toMatchObject({ updated_at: iso(900), trigger_track_id: "t", trigger_tag: "person" });
  expect(zone.active_tracks["t"]).toEqual({
    tag: "person",
    entered_at: iso(0),
    dwell_time: 0.9,
    detection_count: 2,
    intersection: { current_percent: 100, avg_percent: 100 },
    motion: trackOf(camera)?.motion,
  });
});

test("the last track to leave or expire is the one that changed the zone", () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE), seen(100, INSIDE, { trackId: "u" })), recorded(seen(700, OUTSIDE)));
  expect(zoneOf(camera)).toMatchObject({ track_count: 1, updated_at: iso(700), trigger_track_id: "t" });

  camera.fold(expired(100, "u"));
  expect(zoneOf(camera)).toMatchObject({
    track_count: 0,
    active_tracks: {},
    updated_at: iso(100),
    trigger_track_id: "u",
  });
});

test("a detection outside does not change a zone that its track is not in", () => {
  const camera = createCamera();

  camera.fold(drawn(), recorded(seen(0, OUTSIDE)), redrawn({ name: "gate" }));

  expect(zoneOf(camera)).toMatchObject({
    zone_name: "gate",
    track_count: 0,
    active_tracks: {},
    updated_at: null,
    trigger_track_id: null,
    trigger_tag: null,
  });
});

test("a creation that is told again does not undo the update in between", () => {
  const camera = createCamera();

  camera.fold(
    created({ tag: "person" }),
    recorded(seen(0, INSIDE)),
    updated({ tag: "car" }),
    created({ tag: "person" }),
  );

  expect(trackOf(camera)?.tag).toBe("car");
});

test("a state names the time at which it was written, a zone that of its newest update", () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE)), recorded(seen(500, INSIDE)));
  const { zones, tracks } = everything(camera.state);
  const track = stamp(tracks.get("t") ?? "", T0 + 2_000);
  const zone = stamp(zones.get("z") ?? "", T0 + 1_000);

  expect(trackState(trackTexts(track))).toMatchObject({ updated_at: iso(500), applied_at: iso(2_000) });
  expect(zoneState(zone, [track])).toMatchObject({ updated_at: iso(500), applied_at: iso(2_000) });
  expect(zoneState(zone, [])).toMatchObject({ updated_at: iso(0), applied_at: iso(1_000) });
});

test("a track that ended is shown until its time is over, a live one always", () => {
  const camera = createCamera();
  camera.fold(recorded(seen(0, INSIDE)), recorded(seen(500, INSIDE, { trackId: "u" })), expired(0));
  const { tracks } = everything(camera.state);
  const endedAt = JSON.parse(tracks.get("t") ?? "").restRecordedAt;

  expect(trackState(trackTexts(tracks.get("t") ?? ""), endedAt)).toMatchObject({ track_end: iso(15_000) });
  expect(trackState(trackTexts(tracks.get("t") ?? ""), endedAt + 1)).toBeNull();
  expect(trackState(trackTexts(tracks.get("u") ?? ""), endedAt + 1)).not.toBeNull();
});
