import { expect, test } from "vitest";
import { type PreparedArea, prepareArea } from "../../../../projections/geometry/area.ts";
import { type GeofenceSet, noGeofences } from "../../../../projections/live/geofence-set.ts";
import {
  applyInSteps,
  createGeofences,
  createPartition,
  type Geofences,
  noOutputs,
} from "../../../../projections/live/partition.ts";
import { restore } from "../../../../projections/live/persist.ts";
import type { CameraLogEvent, GeofenceIntersectionChanged } from "../../../../schemas/events.ts";
import { geofenceIntersectionId } from "../../../../schemas/identity.ts";
import { byTrackFenceAndStart, expectedStays } from "../../../support/oracles/geofence-oracle.ts";
import { oracleSteps, randomWalk, type WalkStep } from "../../../support/scenes/geofence-walks.ts";
import { storedOf } from "../../../support/scenes/stored-state.ts";
import { type Camera, createCamera, recorded, seen, settings, T0, updated } from "./camera.ts";
import { createRandom } from "./random-log.ts";

const advanced = (upTo: number): CameraLogEvent => ({ type: "GeofencesAdvanced", event: { upTo } });

/** Folds the steps; each change is in the catalog before the log names it. */
function play(steps: readonly WalkStep[], camera: Camera, geofences: Geofences, onStep: () => void = () => undefined) {
  let offset = 0;
  for (const step of steps) {
    if (step.kind === "change") {
      geofences.apply(step.event, offset, T0);
      camera.fold(advanced(offset++));
    } else camera.fold(recorded(step.detection));
    onStep();
  }
  camera.wait(1e9);
  camera.fold(recorded(seen(1e9, 0, { trackId: "last" })));
  camera.expire();
}

const newestStays = (changes: readonly GeofenceIntersectionChanged[]) =>
  [...new Map(changes.map((change) => [change.intersectionId, change])).values()]
    .map(({ trackId, geofenceId, startTime: start, endTime }) => ({ trackId, geofenceId, start, end: endTime ?? -1 }))
    .sort(byTrackFenceAndStart);

test("over walks with changing geofences the intersections are those of brute force", () => {
  let total = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const steps = randomWalk(createRandom(seed), 600);
    const geofences = createGeofences();
    const camera = createCamera({ geofences });

    play(steps, camera, geofences);

    const expected = expectedStays(oracleSteps(steps), settings.trackTtlMs);
    expect(newestStays(camera.out.lists["geofence-intersections"]), `seed ${seed}`).toEqual(expected);
    total += expected.length;
  }
  expect(total).toBeGreaterThan(1_000);
});

test("a state that is stored and read back at any moment goes on in the same way", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const steps = randomWalk(createRandom(seed), 300);
    const random = createRandom(-seed);
    const [once, twice] = [createGeofences(), createGeofences()];
    const camera = createCamera({ geofences: once });
    const other = createCamera({ geofences: twice });

    play(steps, camera, once);
    play(steps, other, twice, () => {
      if (random() > 0.05) return;
      other.state = restore(3, storedOf(other.state), other.state.geofencesUpTo);
    });

    expect(other.out.lists["geofence-intersections"], `seed ${seed}`).toEqual(
      camera.out.lists["geofence-intersections"],
    );
  }
});

test("a catalog that is read as a whole beforehand gives the same as one that is read on the way", () => {
  const steps = randomWalk(createRandom(7), 400);
  const [onTheWay, before] = [createGeofences(), createGeofences()];
  const changes = steps.filter((step) => step.kind === "change");
  for (const [offset, { event }] of changes.entries()) before.apply(event, offset, T0);
  const [camera, other] = [createCamera({ geofences: onTheWay }), createCamera({ geofences: before })];

  play(steps, camera, onTheWay);
  play(steps, other, before);

  expect(other.out.lists["geofence-intersections"]).toEqual(camera.out.lists["geofence-intersections"]);
});

const YARD = [0, 0, 10, 0, 10, 10, 0, 10, 0, 0];
const fields = { name: "Yard", labels: [], siteId: "s", pointOfInterestId: null, active: true };

/** A camera in whose log the yard is already. */
function inYard() {
  const geofences = createGeofences();
  const camera = createCamera({ geofences });
  let offset = 0;
  const change = (change: "created" | "updated" | "deleted", set: object = {}) => {
    const nothing = { name: null, labels: null, siteId: null, pointOfInterestId: null, bounds: null, active: null };
    geofences.apply({ id: "yard", change, at: 0, set: { ...nothing, ...set }, cleared: [] }, offset, T0 + offset);
    return offset++;
  };
  const reported = (...messages: CameraLogEvent[]): string[] => {
    const before = camera.out.lists["geofence-intersections"].length;
    camera.fold(...messages);
    return camera.out.lists["geofence-intersections"].slice(before).map(describe);
  };
  reported(advanced(change("created", { ...fields, bounds: { rings: [YARD], crs: null } })));
  return { camera, geofences, change, reported };
}

const describe = ({ state, startTime, endTime, lastInside }: GeofenceIntersectionChanged): string =>
  `${state} ${seconds(startTime)}-${endTime === null ? "" : seconds(endTime)}/${seconds(lastInside)}`;
const seconds = (ms: number): number => (ms - T0) / 1_000;

const at = (ms: number, longitude: number, latitude = 5) =>
  recorded(seen(ms, 0, { position: { longitude, latitude, altitude: null, crs: null } }));
const without = (ms: number) => recorded(seen(ms, 0));

test("a track enters, stays and leaves", () => {
  const { camera, reported } = inYard();

  expect(reported(at(0, 5), at(500, 6), at(1_000, 6), at(2_000, 20))).toEqual([
    "START 0-/0",
    "UPDATE 0-/1",
    "END 0-2/1",
  ]);
  expect(camera.out.lists["geofence-intersections"][0]).toEqual({
    ...{ intersectionId: geofenceIntersectionId("cam", "t", "yard", T0), geofenceId: "yard", trackId: "t", tag: "" },
    ...{ dataSourceId: "cam", state: "START", startTime: T0, endTime: null, lastInside: T0 },
    cause: { partition: 3, offset: 1, index: 0 },
  });
  expect(reported(at(3_000, 5))).toEqual(["START 3-/3"]);
});

test.each([
  [0, 5],
  [10, 5],
  [5, 0],
  [10, 10],
  [10.000001, 5],
])("on the border, at %s %s, it is outside", (longitude, latitude) => {
  expect(inYard().reported(at(0, longitude, latitude))).toEqual([]);
});

test("a detection without a position leaves the stay as it is", () => {
  const { reported } = inYard();

  expect(reported(at(0, 5), without(1_000), without(2_000))).toEqual(["START 0-/0"]);
  expect(reported(at(3_000, 20))).toEqual(["END 0-3/0"]);
});

test("a geofence made around a track begins with the track's next position", () => {
  const { change, reported } = inYard();
  reported(advanced(change("deleted")));
  reported(at(0, 5));

  expect(reported(advanced(change("created", { ...fields, bounds: { rings: [YARD], crs: null } })))).toEqual([]);
  expect(reported(without(1_000))).toEqual([]);
  expect(reported(at(2_000, 5))).toEqual(["START 2-/2"]);
});

test.each([
  ["deleted", "deleted", {}],
  ["set inactive", "updated", { active: false }],
  ["redrawn elsewhere", "updated", { bounds: { rings: [YARD.map((degrees) => degrees + 50)], crs: null } }],
  [
    "redrawn so that the position is on its border",
    "updated",
    { bounds: { rings: [[5, 0, 9, 0, 9, 9, 5, 9, 5, 0]], crs: null } },
  ],
] as const)("a geofence that is %s ends the stay at the last detection", (_, what, set) => {
  const { change, reported } = inYard();
  reported(at(0, 5), without(1_000));

  expect(reported(advanced(change(what, set)))).toEqual(["END 0-1/0"]);
  expect(reported(at(2_000, 50))).toEqual([]);
});

test("a geofence that is redrawn around the position, or renamed, changes nothing", () => {
  const { change, reported } = inYard();
  reported(at(0, 5));

  const larger = { bounds: { rings: [[0, 0, 90, 0, 90, 80, 0, 80, 0, 0]], crs: null } };
  expect(reported(advanced(change("updated", larger)), advanced(change("updated", { name: "Court" })))).toEqual([]);
  expect(reported(at(500, 70))).toEqual([]);
});

test("an older position of the catalog, and one that is named again, change nothing", () => {
  const { change, reported } = inYard();
  const older = change("updated", { active: false });
  const newer = change("updated", { active: true });
  reported(advanced(newer), at(0, 5));

  expect(reported(advanced(older), advanced(newer), at(500, 6))).toEqual([]);
});

test("an expiry ends the stay at the last detection, and a detection in time takes it back", () => {
  const { camera, reported } = inYard();
  reported(at(0, 5), without(1_000));
  const expiry: CameraLogEvent = {
    type: "TrackExpired",
    event: { trackId: "t", dataSourceId: "cam", endTime: T0 + 1_000, reason: "expired", readUpTo: null },
  };

  expect(reported(expiry)).toEqual(["END 0-1/0"]);
  expect(reported(without(2_000))).toEqual(["UPDATE 0-/0"]);
  expect(reported(at(3_000, 5))).toEqual(["UPDATE 0-/3"]);
  expect(reported(at(40_000, 5))).toEqual(["END 0-3/3", "START 40-/40"]);
  expect(camera.out.late).toBe(0);
});

test("an explicit end ends the stay at that end", () => {
  const { reported } = inYard();
  reported(at(0, 5));

  expect(reported(updated({ endTime: T0 + 4_000 }))).toEqual(["END 0-4/0"]);
});

test("a log that is read from its middle takes the geofences that were recorded by then", () => {
  const { camera, change, reported } = inYard();
  change("deleted");
  camera.state.geofencesUpTo = Number.NaN;
  camera.wait(-T0);
  camera.setBrokerTime(0);

  expect(reported(at(0, 5))).toEqual(["START 0-/0"]);
});

test("a track is in at most a hundred geofences", () => {
  const geofences = createGeofences();
  const camera = createCamera({ geofences });
  const bounds = { rings: [YARD], crs: null };
  for (let i = 0; i < 120; i++)
    geofences.apply({ id: `g${i}`, change: "created", at: 0, set: { ...fields, bounds }, cleared: [] }, i, T0);

  camera.fold(advanced(119), at(0, 5));

  expect(camera.out.lists["geofence-intersections"]).toHaveLength(100);
});

test("a message whose positions lie in many geofences is folded with rests in between", () => {
  const geofences = createGeofences();
  const state = createPartition(0);
  const bounds = { rings: [YARD], crs: null };
  for (let i = 0; i < 300; i++)
    geofences.apply({ id: `g${i}`, change: "created", at: 0, set: { ...fields, bounds }, cleared: [] }, i, T0);
  state.geofencesUpTo = 299;
  const position = { longitude: 5, latitude: 5, altitude: null, crs: null };
  const detections = Array.from({ length: 10 }, (_, i) => seen(i, 0, { position, polygon: null }));
  const own = { ...settings, geofences };

  const steps = applyInSteps(state, { offset: 1, recordedAt: T0, message: recorded(...detections) }, own, noOutputs());

  expect([...steps].length).toBe(10);
});

test("of too many geofences around a position the first by id are judged, in whatever portions the changes came", () => {
  const positions = [
    { longitude: 6, latitude: 6 },
    { longitude: 5, latitude: 5 },
  ];
  const areas = Array.from({ length: 12_000 }, (_, i): [string, PreparedArea] => {
    // Only their boxes are around the first position, but for two; the second of these comes too late.
    const corner = i === 9_500 || i === 11_500 ? 10 : 5.5;
    return [`g${String(i).padStart(5, "0")}`, prepareArea([[0, 0, 10, 0, corner, corner, 0, 10, 0, 0]])];
  });
  const found = (set: GeofenceSet) =>
    positions.map(({ longitude, latitude }) => {
      const ids: string[] = [];
      const count = set.find(longitude, latitude, ids);
      return ids.slice(0, count);
    });
  const atOnce = noGeofences.with(new Map(areas));
  const few = areas.filter((_, i) => i % 97 === 0);
  const rest = areas.filter((_, i) => i % 97 !== 0);

  expect(found(atOnce)).toEqual([["g09500"], areas.slice(0, 100).map(([id]) => id)]);
  expect(found(noGeofences.with(new Map(rest)).with(new Map(few)))).toEqual(found(atOnce));
});
