import { expect, test } from "vitest";
import { intersectionId } from "../../../../schemas/identity.ts";
import {
  createCamera,
  created,
  drawn,
  INSIDE,
  OUTSIDE,
  polygon,
  recorded,
  recordedBy,
  rectangle,
  seen,
  T0,
} from "./camera.ts";

test("an intersection runs from the first detection inside to the first outside", () => {
  const camera = createCamera();

  const changes = camera.fold(
    drawn(),
    recorded(seen(0, OUTSIDE), seen(1_000, INSIDE), seen(1_500, INSIDE)),
    recorded(seen(2_000, OUTSIDE), seen(3_000, OUTSIDE)),
  );

  expect(changes).toEqual(["START z 1-/1", "END z 1-2/1.5"]);
});

test("a change names its track, its tag, its cause and an id made of track, zone and start", () => {
  const camera = createCamera();

  camera.fold(drawn(), created(), recorded(seen(1_000, INSIDE), seen(2_000, OUTSIDE), seen(3_000, INSIDE)));

  expect(camera.out.lists["zone-intersections"][1]).toEqual({
    intersectionId: intersectionId("t", "z", T0 + 1_000),
    zoneId: "z",
    trackId: "t",
    dataSourceId: "cam",
    tag: "person",
    state: "END",
    startTime: T0 + 1_000,
    endTime: T0 + 2_000,
    lastInside: T0 + 1_000,
    cause: { partition: 3, offset: 2, index: 1 },
  });
  expect(camera.out.lists["zone-intersections"][2]?.intersectionId).toBe(intersectionId("t", "z", T0 + 3_000));
});

test("updates come at most once per interval of event time since the last message", () => {
  const camera = createCamera();

  const changes = camera.fold(drawn(), recorded(...[0, 400, 999, 1_000, 1_999, 2_100].map((at) => seen(at, INSIDE))));

  expect(changes).toEqual(["START z 0-/0", "UPDATE z 0-/1", "UPDATE z 0-/2.1"]);
});

test("zones left and entered by one detection come in the order of zone ids", () => {
  const camera = createCamera();
  const left = polygon(rectangle(0, 0, 100, 100));

  const changes = camera.fold(
    drawn({ zoneId: "b", polygon: left }),
    drawn({ zoneId: "c" }),
    drawn({ zoneId: "a" }),
    recorded(seen(0, OUTSIDE)),
    recorded(seen(500, INSIDE)),
  );

  expect(changes).toEqual(["START b 0-/0", "START a 0.5-/0.5", "END b 0-0.5/0", "START c 0.5-/0.5"]);
});

test("a box that only touches the zone is outside", () => {
  const camera = createCamera();

  expect(camera.fold(drawn(), recorded(seen(0, 95), seen(1_000, 205)))).toEqual([]);
  expect(camera.fold(recorded(seen(2_000, 95.001)))).toEqual(["START z 2-/2"]);
});

test("with the bottom centre as anchor the box's foot decides", () => {
  const camera = createCamera();
  const low = polygon(rectangle(100, 52, 200, 54));
  const onFoot = polygon(rectangle(100, 54, 200, 56));

  const changes = camera.fold(
    drawn({ zoneId: "low", polygon: low, anchor: "bottom_center" }),
    drawn({ zoneId: "foot", polygon: onFoot, anchor: "bottom_center" }),
    recorded(seen(0, INSIDE)),
  );

  expect(changes).toEqual(["START foot 0-/0"]);
});

test("a detection without a polygon is neither inside nor outside", () => {
  const camera = createCamera();
  const position = { longitude: 10, latitude: 50, altitude: null, crs: null };

  const changes = camera.fold(
    drawn(),
    recorded(seen(0, INSIDE), seen(500, INSIDE, { polygon: null, position }), seen(900, OUTSIDE)),
  );

  expect(changes).toEqual(["START z 0-/0", "END z 0-0.9/0"]);
});

test("a late detection changes nothing and is counted", () => {
  const camera = createCamera();

  const changes = camera.fold(drawn(), recorded(seen(0, INSIDE), seen(2_000, OUTSIDE)), recorded(seen(1_000, INSIDE)));

  expect(changes).toEqual(["START z 0-/0", "END z 0-2/0"]);
  expect(camera.out.late).toBe(1);
});

test("a duplicate changes nothing, the first one counts", () => {
  const camera = createCamera();

  const changes = camera.fold(drawn(), recorded(seen(0, INSIDE)), recorded(seen(0, OUTSIDE)));

  expect(changes).toEqual(["START z 0-/0"]);
  expect(camera.out).toMatchObject({ late: 0, duplicates: 1 });
});

test("another data source's detections under the id of a track do not touch it", () => {
  const camera = createCamera();

  const changes = camera.fold(drawn(), recorded(seen(0, INSIDE)), recordedBy("other", seen(1_000, OUTSIDE)));

  expect(changes).toEqual(["START z 0-/0"]);
  expect(camera.out.late).toBe(0);
  expect(camera.fold(recorded(seen(500, INSIDE), seen(2_000, OUTSIDE)))).toEqual(["END z 0-2/0.5"]);
});

test("with an exit delay an intersection survives a flicker at the border and still ends at the first detection outside", () => {
  const flicker = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => seen(i * 500, i % 2 === 0 ? INSIDE : OUTSIDE));
  const plain = createCamera({ updateIntervalMs: 60_000 });
  const steady = createCamera({ updateIntervalMs: 60_000 });

  expect(plain.fold(drawn(), recorded(...flicker))).toHaveLength(8);
  expect(steady.fold(drawn({ exitDelayMs: 1_000 }), recorded(...flicker))).toEqual(["START z 0-/0"]);
  expect(steady.fold(recorded(seen(4_000, OUTSIDE), seen(4_499, OUTSIDE)))).toEqual([]);
  expect(steady.fold(recorded(seen(4_500, OUTSIDE)))).toEqual(["END z 0-3.5/3"]);
});

test("with a minimum of detections the entry is the first of that many in a row", () => {
  const camera = createCamera();

  const changes = camera.fold(
    drawn({ enterDetections: 3 }),
    recorded(seen(0, INSIDE), seen(1_000, INSIDE), seen(2_000, OUTSIDE)),
    recorded(seen(3_000, INSIDE), seen(4_000, INSIDE), seen(5_000, INSIDE), seen(6_000, OUTSIDE)),
  );

  expect(changes).toEqual(["START z 3-/5", "END z 3-6/5"]);
});

test("a run outside within the exit delay that nothing follows ends the intersection where it began", () => {
  const camera = createCamera();
  camera.fold(drawn({ exitDelayMs: 5_000 }), recorded(seen(0, INSIDE), seen(1_000, OUTSIDE), seen(2_000, OUTSIDE)));

  const end = created({ endTime: T0 + 3_000 });

  expect(camera.fold(end)).toEqual(["END z 0-1/0"]);
});
