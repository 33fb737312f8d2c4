import { expect, test } from "vitest";
import type { Scope } from "../../../../schemas/catalog/token.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import type { Detection } from "../../../../schemas/events.ts";
import { noWriter } from "../../../support/scenes/catalog.ts";
import { createEntityApi } from "./entity-api.ts";

const CREATE = `mutation ($calibration: CreateDeviceCalibrationInput!) {
  createDeviceCalibration(calibration: $calibration) {
    id timestamp precomputeAt markers { name position { coordinates } pixel { type coordinates crs { type } } }
  }
}`;
const at = (...coordinates: readonly number[]) => ({ coordinates });
/** A pixel is a millionth of a degree. */
const marker = (x: number, y: number, scale = 1) => ({
  ...{ name: `${x},${y}`, position: at(13 + x * 1e-6 * scale, 52 + y * 1e-6 * scale), pixel: at(x, y) },
});
const corners = (scale = 1) => [
  marker(0, 0, scale),
  marker(100, 0, scale),
  marker(100, 100, scale),
  marker(0, 100, scale),
];
const NOON = "2026-01-01T12:00:00.000Z";
const noon = { id: "noon", deviceId: "door", timestamp: NOON, markers: corners() };
const box = {
  coordinates: [
    [
      [20, 10],
      [40, 10],
      [40, 70],
      [20, 70],
      [20, 10],
    ],
  ],
};

/** `logged`: the detections that the log got. */
async function createDoor() {
  const logged: Detection[] = [];
  const header = { dataSourceId: "door", tag: "car", startTime: 0, firstDetectionAt: null, lastDetectionAt: null };
  const none = { endTime: null, modelId: null, properties: null, metadata: null };
  const take = (detections: readonly Detection[]) => logged.push(...detections);
  const api = await createEntityApi({
    routing: {
      ifKnown: async () => undefined,
      created: async (track) => track,
      known: (trackId) => ({ ...header, ...none, trackId }),
      updated: async (track) => track,
    },
    writer: {
      ...noWriter,
      cameraLog: async (events) =>
        events.map(({ event }, offset) => {
          if ("detections" in event) take(event.detections);
          return { topic: "camera-log", partition: 0, offset };
        }),
      detections: async (bySource) => {
        for (const detections of bySource.values()) take(detections);
        return [{ topic: "camera-log", partition: 0, offset: 0 }];
      },
    },
  });
  await api.data('mutation { createDevice(device: { id: "door", name: "Door", enabled: true }) { id } }');
  const calibrate = async (calibration: object) => (await api.data(CREATE, { calibration })).createDeviceCalibration;
  const detect = async (detection: object) =>
    (
      await api.data(
        "mutation ($d: CreateDetectionInput!) { createDetection(detection: $d) { position { coordinates } } }",
        { d: { trackId: "t", timestamp: NOON, ...detection } },
      )
    ).createDetection.position;
  return { ...api, calibrate, detect, logged };
}

test("a calibration is made once and shown by its device", async () => {
  const { data, calibrate } = await createDoor();
  const shown = {
    ...{ id: "noon", timestamp: NOON, precomputeAt: null },
    markers: corners().map(({ name, position, pixel }) => ({
      name,
      position,
      pixel: { ...pixel, type: "Point", crs: null },
    })),
  };

  expect(await calibrate(noon)).toEqual(shown);
  expect(await calibrate({ ...noon, markers: [marker(1, 1)] })).toEqual(shown);
  await calibrate({ ...noon, id: "before", timestamp: "2026-01-01T00:00:00Z" });
  const { device } = await data('{ device(id: "door") { calibrations { id markers { id } } } }');
  expect(device.calibrations.map(({ id }: { id: string }) => id)).toEqual(["before", "noon"]);
  const ids = device.calibrations.flatMap(({ markers }: { markers: { id: string }[] }) => markers.map(({ id }) => id));
  expect(new Set(ids).size).toBe(8);
});

test.each([
  [{ deviceId: "none" }, "NOT_FOUND", ["deviceId"]],
  [{ markers: [] }, "BAD_USER_INPUT", ["markers"]],
  [{ markers: Array.from({ length: 101 }, () => marker(1, 1)) }, "BAD_USER_INPUT", ["markers"]],
  [{ markers: [{ ...marker(1, 1), name: " " }] }, "BAD_USER_INPUT", ["markers", 0, "name"]],
  [
    { markers: [{ ...marker(1, 1), position: at(181, 0) }] },
    "BAD_USER_INPUT",
    ["markers", 0, "position", "coordinates", 0],
  ],
  [{ markers: [{ ...marker(1, 1), pixel: at(1, 2, 3) }] }, "BAD_USER_INPUT", ["markers", 0, "pixel", "coordinates"]],
])("a calibration with %j is refused", async (wrong, code, path) => {
  const { refusal } = await createDoor();

  expect(await refusal(CREATE, { calibration: { ...noon, ...wrong } })).toEqual({
    code,
    path: ["calibration", ...path],
  });
});

test("a detection without a position gets that of the bottom centre of its box", async () => {
  const { data, calibrate, detect, logged } = await createDoor();
  await calibrate(noon);
  const place = {
    longitude: expect.closeTo(13.00003, 9),
    latitude: expect.closeTo(52.00007, 9),
    altitude: null,
    crs: null,
  };

  expect((await detect({ polygon: box })).coordinates[0]).toBeCloseTo(13.00003, 9);
  const track = {
    id: "t",
    dataSourceId: "door",
    tag: "car",
    startTime: NOON,
    detections: [{ timestamp: NOON, polygon: box }],
  };
  await data("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", { track });
  const { id, detections } = track;
  await data("mutation ($track: UpdateTrackInput!) { updateTrack(track: $track) { id } }", {
    track: { id, detections },
  });
  expect(logged.map(({ position }) => position)).toEqual([place, place, place]);
});

test("a given position stays, and what cannot be computed is missing", async () => {
  const { calibrate, detect } = await createDoor();
  expect(await detect({ polygon: box })).toBeNull();
  await calibrate(noon);

  expect(await detect({ polygon: box, position: at(1, 2) })).toEqual(at(1, 2));
  expect(await detect({})).toBeNull();
  expect(await detect({ polygon: box, timestamp: "2026-01-01T11:59:59.999Z" })).toBeNull();
});

test("a token with write alone gets the position that it gave, and none that shows the calibration", async () => {
  const { ask, calibrate, token, logged } = await createDoor();
  await calibrate(noon);
  const positions = async (...scopes: Scope[]) => {
    const detections = [{ polygon: box }, { polygon: box, position: at(1, 2) }];
    const { body } = await ask(
      "mutation ($d: [CreateDetectionInput!]!) { createDetections(detections: $d) { position { coordinates } } }",
      { d: detections.map((each) => ({ trackId: "t", timestamp: NOON, ...each })) },
      token(...scopes),
    );
    return body.data.createDetections.map((each: { position: unknown }) => each.position);
  };
  const place = at(expect.closeTo(13.00003, 9), expect.closeTo(52.00007, 9));

  expect(await positions("write")).toEqual([null, at(1, 2)]);
  expect(await positions("read", "write")).toEqual([place, at(1, 2)]);
  expect(logged.map(({ position }) => position?.longitude)).toEqual([
    expect.closeTo(13.00003, 9),
    1,
    expect.closeTo(13.00003, 9),
    1,
  ]);
});

test("the newest calibration with four markers counts that is not after the detection", async () => {
  const { data, calibrate, detect } = await createDoor();
  await calibrate(noon);
  await calibrate({ ...noon, id: "one", timestamp: "2026-01-01T13:00:00Z", markers: corners(2) });
  await calibrate({ ...noon, id: "two", timestamp: "2026-01-01T14:00:00Z", markers: corners(3).slice(1) });
  const line = [0, 10, 20, 30].map((i) => marker(i, i));
  await calibrate({ ...noon, id: "three", timestamp: "2026-01-01T15:00:00Z", markers: line });
  const longitude = async (timestamp: string) => (await detect({ polygon: box, timestamp }))?.coordinates[0];

  expect(await longitude("2026-01-01T12:59:59Z")).toBeCloseTo(13.00003, 9);
  expect(await longitude("2026-01-01T13:00:00Z")).toBeCloseTo(13.00006, 9);
  expect(await longitude("2026-01-01T14:30:00Z")).toBeCloseTo(13.00006, 9);
  expect(await longitude("2026-01-01T15:00:00Z")).toBeUndefined();
  await data('mutation { deleteDevice(id: "door") { id } }');
  expect(await longitude("2026-01-01T13:00:00Z")).toBeUndefined();
});

test("the calibrations of a deleted device are gone, also for one that comes with its id", async () => {
  const { data, calibrate } = await createDoor();
  await calibrate(noon);
  await data('mutation { deleteDevice(id: "door") { id } }');

  await data(
    'mutation { createDevice(device: { id: "door", name: "Door", enabled: true, dataSourceId: "door" }) { id } }',
  );
  expect(await data('{ device(id: "door") { calibrations { id } } }')).toEqual({ device: { calibrations: [] } });
});

test("a device has at most 100 calibrations, and one that is there may be repeated", async () => {
  const { calibrate, refusal } = await createDoor();
  const numbered = (i: number) => ({ ...noon, id: `c${i}`, markers: [marker(1, 1)] });
  for (let i = 0; i < 100; i++) await calibrate(numbered(i));

  expect(await refusal(CREATE, { calibration: numbered(100) })).toEqual({
    code: "BAD_USER_INPUT",
    path: ["calibration", "deviceId"],
  });
  expect((await calibrate(numbered(99))).id).toBe("c99");
});

test.each(["another deletion", "a creation with its id"])(
  "a deletion that ends half way leaves a whole device or none, and %s completes it",
  async (repetition) => {
    const { data, refusal, calibrate, catalog, failNext } = await createDoor();
    for (const id of ["a", "b"]) await calibrate({ ...noon, id });
    const remove = 'mutation { deleteDevice(id: "door") { id } }';
    const shown = async () => (await data('{ device(id: "door") { calibrations { id } } }')).device;
    const away = unavailable("the log is away", 250);

    failNext(away);
    expect(await refusal(remove)).toMatchObject({ code: "UNAVAILABLE" });
    expect(await shown()).toEqual({ calibrations: [{ id: "a" }, { id: "b" }] });
    failNext(away, 1);
    expect(await refusal(remove)).toMatchObject({ code: "UNAVAILABLE" });
    expect(await shown()).toBeNull();
    expect(catalog.count("deviceCalibration")).toBe(1);

    if (repetition === "another deletion") {
      await data(remove);
      expect(await refusal(remove)).toMatchObject({ code: "NOT_FOUND" });
    } else {
      await data('mutation { createDevice(device: { id: "door", name: "New", enabled: true }) { id } }');
      expect(await shown()).toEqual({ calibrations: [] });
    }
    expect(catalog.count("deviceCalibration")).toBe(0);
  },
);
