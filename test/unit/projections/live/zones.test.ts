import { expect, test } from "vitest";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import {
  createCamera,
  deleted,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  polygon,
  recorded,
  recordedBy,
  rectangle,
  redrawn,
  seen,
  T0,
  zone,
} from "./camera.ts";

function renamed(name: string, fields: { active?: boolean } = {}, ifUpdatedAt: number | null = null): CameraLogEvent {
  const { updatedAt } = zone();
  const unsaid = { polygon: null, active: null, anchor: null, enterDetections: null, exitDelayMs: null };
  const set = { ...unsaid, name, ...fields };
  return { type: "ZoneUpdated", event: { zoneId: "z", dataSourceId: "cam", updatedAt, ifUpdatedAt, set, cleared: [] } };
}

function occupied() {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE), seen(500, INSIDE)));
  return camera;
}

test("each zone event gives a version of the zone with its place in the log", () => {
  const camera = createCamera();

  camera.fold(drawn(), redrawn({ name: "gate" }), deleted());

  const place = { zoneId: "z", dataSourceId: "cam", movedTo: null, refusal: null, partition: 3 };
  expect(camera.out.lists.zones).toEqual([
    { ...place, zone: zone(), offset: 0 },
    { ...place, zone: zone({ name: "gate", updatedAt: T0 + 1 }), offset: 1 },
    { ...place, zone: null, offset: 2 },
  ]);
});

test("deletion ends the intersection with the track's last detection", () => {
  expect(occupied().fold(deleted())).toEqual(["END z 0-0.5/0.5"]);
});

test("a zone set inactive ends its intersections and begins none", () => {
  const camera = occupied();

  expect(camera.fold(redrawn({ active: false }))).toEqual(["END z 0-0.5/0.5"]);
  expect(camera.fold(recorded(seen(900, INSIDE)))).toEqual([]);
  expect(camera.fold(redrawn(), recorded(seen(950, INSIDE)))).toEqual(["START z 0.95-/0.95"]);
});

test("a redraw that leaves the last box outside ends, one that still holds it goes on", () => {
  const camera = occupied();

  expect(camera.fold(redrawn({ polygon: polygon(rectangle(120, 0, 200, 100)) }))).toEqual([]);
  expect(camera.fold(redrawn({ polygon: polygon(rectangle(160, 0, 200, 100)) }))).toEqual(["END z 0-0.5/0.5"]);
});

test("a redraw around a track's last box begins nothing before its next detection", () => {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, OUTSIDE)));

  expect(camera.fold(redrawn({ polygon: polygon(rectangle(0, 0, 200, 100)) }))).toEqual([]);
  expect(camera.fold(recorded(seen(500, OUTSIDE)))).toEqual(["START z 0.5-/0.5"]);
});

test("a new name does not end an intersection whose track is outside for the moment", () => {
  const camera = createCamera();
  camera.fold(drawn({ exitDelayMs: 2_000 }), recorded(seen(0, INSIDE), seen(500, OUTSIDE)));

  expect(camera.fold(redrawn({ exitDelayMs: 2_000, name: "gate" }))).toEqual([]);
  expect(camera.fold(recorded(seen(1_000, INSIDE)))).toEqual(["UPDATE z 0-/1"]);
});

test("a zone that moves ends its intersections and works at the other camera", () => {
  const camera = occupied();

  expect(camera.fold(deleted({ movedTo: "other" }), drawn({ dataSourceId: "other" }))).toEqual(["END z 0-0.5/0.5"]);
  expect(camera.fold(recorded(seen(600, INSIDE)))).toEqual([]);
  expect(camera.fold(recordedBy("other", seen(700, INSIDE, { trackId: "u" })))).toEqual(["START z 0.7-/0.7"]);
});

test("an update says some fields and leaves the others as they are", () => {
  const camera = createCamera();
  camera.fold(drawn({ exitDelayMs: 5 }), renamed("gate"), renamed("door", { active: false }));

  const after = { name: "door", active: false, exitDelayMs: 5, updatedAt: T0 + 2 };
  expect(camera.out.lists.zones.at(-1)?.zone).toEqual(zone(after));
});

test("an update on a condition counts only for the version of the zone that its writer has read", () => {
  const camera = createCamera();
  camera.fold(drawn(), renamed("stale", {}, T0 - 1), renamed("gate", {}, T0));

  expect(camera.out.lists.zones.map(({ zone, refusal }) => [zone?.name, refusal])).toEqual([
    ["door", null],
    ["door", "changed"],
    ["gate", null],
  ]);
});

test("a change has a later time than the zone before it, so a condition on that zone is false from then on", () => {
  const camera = createCamera();
  camera.fold(drawn(), renamed("gate"), renamed("unseen", {}, T0), renamed("door", {}, T0 + 1));

  expect(camera.out.lists.zones.map(({ zone, refusal }) => [zone?.name, zone?.updatedAt, refusal])).toEqual([
    ["door", T0, null],
    ["gate", T0 + 1, null],
    ["gate", T0 + 1, "changed"],
    ["door", T0 + 2, null],
  ]);
});

test("a deletion on a condition counts only for the version of the zone that its writer has read", () => {
  const camera = occupied();

  expect(camera.fold(renamed("gate"), deleted({ ifUpdatedAt: T0 }))).toEqual([]);
  expect(camera.fold(deleted({ ifUpdatedAt: T0 + 1 }), deleted({ ifUpdatedAt: T0 + 1 }))).toEqual(["END z 0-0.5/0.5"]);
  expect(camera.out.lists.zones.slice(-3).map(({ zone, refusal }) => [zone?.name, refusal])).toEqual([
    ["gate", "changed"],
    [undefined, null],
    [undefined, "not_here"],
  ]);
});

test("an update on a condition that the log has twice is no conflict with itself", () => {
  const camera = createCamera();
  camera.fold(drawn(), renamed("gate", {}, T0), renamed("gate", {}, T0), renamed("gate", { active: false }, T0));

  expect(camera.out.lists.zones.map(({ zone, refusal }) => [zone?.name, zone?.updatedAt, refusal])).toEqual([
    ["door", T0, null],
    ["gate", T0 + 1, null],
    ["gate", T0 + 1, null],
    ["gate", T0 + 1, "changed"],
  ]);
});

test("what is said of a zone that has left changes nothing and is answered so, and a creation told again as well", () => {
  const camera = createCamera();
  camera.fold(drawn(), drawn({ name: "again" }), deleted({ movedTo: "other" }), renamed("late"), deleted());
  camera.fold(drawn({ dataSourceId: "other" }), renamed("late"), drawn());

  expect(camera.out.lists.zones.map(({ zone, movedTo, refusal }) => [zone?.name ?? null, movedTo, refusal])).toEqual([
    ["door", null, null],
    ["door", null, null],
    [null, "other", null],
    [null, null, "not_here"],
    [null, null, "not_here"],
    ["door", null, null],
    [null, null, "not_here"],
    [null, null, "not_here"],
  ]);
  expect([...camera.state.zones.values()].map(({ definition }) => definition.dataSourceId)).toEqual(["other"]);
});

test("an expired track cannot come back into a zone that is gone by then", () => {
  const camera = occupied();
  camera.fold(expired(500), deleted());

  expect(camera.fold(recorded(seen(900, INSIDE)))).toEqual([]);
});

test("several tracks leave a deleted zone in the order of their ids", () => {
  const camera = createCamera();
  camera.fold(drawn(), ...["c", "a", "b"].map((trackId) => recorded(seen(0, INSIDE, { trackId }))));

  camera.fold(deleted());

  const ends = camera.out.lists["zone-intersections"].slice(3);
  expect(ends.map((change) => [change.trackId, change.cause.index])).toEqual([
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ]);
});
