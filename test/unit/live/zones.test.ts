import { expect, test } from "vitest";
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
  zone,
} from "./camera.ts";

function occupied() {
  const camera = createCamera();
  camera.fold(drawn(), recorded(seen(0, INSIDE), seen(500, INSIDE)));
  return camera;
}

test("each zone event gives a version of the zone with its place in the log", () => {
  const camera = createCamera();

  camera.fold(drawn(), redrawn({ name: "gate" }), deleted());

  const place = { zoneId: "z", dataSourceId: "cam", partition: 3 };
  expect(camera.out.zoneVersions).toEqual([
    { ...place, zone: zone(), offset: 0 },
    { ...place, zone: zone({ name: "gate" }), offset: 1 },
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

test.each([
  ["the old camera's log says so first", [deleted({ movedTo: "other" }), redrawn({ dataSourceId: "other" })]],
  ["the new camera's log says so first", [redrawn({ dataSourceId: "other" }), deleted({ movedTo: "other" })]],
])("a zone that moves ends its intersections and works at the other camera: %s", (_, moves) => {
  const camera = occupied();

  expect(camera.fold(...moves)).toEqual(["END z 0-0.5/0.5"]);
  expect(camera.fold(recorded(seen(600, INSIDE)))).toEqual([]);
  expect(camera.fold(recordedBy("other", seen(700, INSIDE, { trackId: "u" })))).toEqual(["START z 0.7-/0.7"]);
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

  const ends = camera.out.intersections.slice(3);
  expect(ends.map((change) => [change.trackId, change.cause.index])).toEqual([
    ["a", 1],
    ["b", 2],
    ["c", 3],
  ]);
});
