import { booleanValid } from "@turf/boolean-valid";
import { polygon } from "@turf/helpers";
import { describe, expect, test } from "vitest";
import { boxRing, createScene, trueIntersections } from "../../../../../../services/cli/demo/scene/scene.ts";
import type { CameraDelivery, SceneCamera, SceneOptions } from "../../../../../../services/cli/demo/scene/types.ts";
import { expectedIntersections } from "../../../../../support/oracles/oracle.ts";

const options: SceneOptions = {
  seed: 7,
  cameras: 2,
  walkersPerCamera: 6,
  seconds: 90,
  fps: 10,
  start: Date.parse("2026-01-01T00:00:00Z"),
};

const TTL_MS = 15_000;

function cameraOf(changes: Partial<SceneOptions> = {}): SceneCamera {
  const [camera] = createScene({ ...options, ...changes }).cameras;
  if (!camera) throw new Error("no camera");
  return camera;
}

const gaps = (camera: SceneCamera): number[] =>
  camera.tracks.flatMap(({ detections }) =>
    detections.slice(1).map(({ timestamp }, index) => timestamp - (detections[index]?.timestamp ?? timestamp)),
  );

describe("a scene", () => {
  test("is the same for the same seed and another for another", () => {
    expect(createScene(options)).toEqual(createScene(options));
    expect(cameraOf({ seed: 8 }).detections).not.toEqual(cameraOf().detections);
  });

  test("keeps a camera as it is when others join or its messages come late or twice", () => {
    expect(cameraOf({ cameras: 5 })).toEqual(cameraOf());
    expect(cameraOf({ maxLateMs: 1_000, duplicateShare: 0.2 }).tracks).toEqual(cameraOf().tracks);
  });

  test("has births and deaths, gaps shorter and longer than the TTL, and ends told and untold", () => {
    const camera = cameraOf();
    const ends = camera.tracks.map(({ endTime, detections }) =>
      endTime === undefined ? "untold" : endTime === detections.at(-1)?.timestamp ? "with the last" : "later",
    );

    expect(camera.tracks.length).toBeGreaterThan(options.walkersPerCamera);
    expect(gaps(camera).some((gap) => gap > 1_000 && gap < TTL_MS)).toBe(true);
    expect(gaps(camera).some((gap) => gap > TTL_MS)).toBe(true);
    expect(new Set(ends)).toEqual(new Set(["untold", "with the last", "later"]));
  });

  test("stays within its time, and every box has area", () => {
    const { detections } = cameraOf();

    expect(detections.every(({ timestamp }) => timestamp >= options.start)).toBe(true);
    expect(detections.every(({ timestamp }) => timestamp < options.start + options.seconds * 1_000)).toBe(true);
    expect(detections.every(({ box: [left, top, right, bottom] }) => left < right && top < bottom)).toBe(true);
  });

  test("has at least ten valid zones, and all of them are entered", () => {
    const camera = cameraOf({ seconds: 300 });

    expect(camera.zones.length).toBeGreaterThanOrEqual(10);
    for (const { name, rings } of camera.zones)
      expect(booleanValid(polygon(rings.map((ring) => ring.map((point) => [...point])))), name).toBe(true);
    expect(new Set(trueIntersections(camera).map(({ zoneName }) => zoneName)).size).toBe(camera.zones.length);
  });

  test.each([1, 2, 3, 4])("knows the same intersections as the oracle (seed %i)", (seed) => {
    const camera = cameraOf({ seed });
    const endTimes = new Map<string, number>();
    for (const { trackId, endTime } of camera.tracks) if (endTime !== undefined) endTimes.set(trackId, endTime);

    const expected = expectedIntersections({
      detections: camera.detections.map((seen) => ({ ...seen, ring: boxRing(seen) })),
      zones: camera.zones.map(({ name, rings }) => ({ zoneId: name, rings })),
      endTimes,
    });

    const known = trueIntersections(camera).map(({ zoneName, ...stay }) => ({ ...stay, zoneId: zoneName }));
    expect(known.length).toBeGreaterThan(20);
    expect(new Set(known.map((stay) => JSON.stringify(sorted(stay))))).toEqual(
      new Set(expected.map((stay) => JSON.stringify(sorted(stay)))),
    );
  });
});

const sorted = (stay: object) => Object.entries(stay).sort(([a], [b]) => (a < b ? -1 : 1));

const detectionsIn = (deliveries: readonly CameraDelivery[]) => deliveries.flatMap(({ detections }) => detections);

const keyOf = ({ trackId, timestamp }: { trackId: string; timestamp: number }) => `${trackId}/${timestamp}`;

describe("deliveries", () => {
  test("without lateness, every detection comes once and in time order", () => {
    const { deliveries, detections } = cameraOf();
    const times = detectionsIn(deliveries).map(({ timestamp }) => timestamp);

    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(detectionsIn(deliveries).map(keyOf))).toEqual(new Set(detections.map(keyOf)));
    expect(times).toHaveLength(detections.length);
  });

  test("late ones come out of order, but not later than asked for", () => {
    const { deliveries, detections } = cameraOf({ maxLateMs: 1_500 });
    const times = detectionsIn(deliveries).map(({ timestamp }) => timestamp);
    const delays = deliveries.flatMap(({ deliverAt, detections: seen }) =>
      seen.map(({ timestamp }) => deliverAt - timestamp),
    );

    expect(times).not.toEqual([...times].sort((a, b) => a - b));
    expect(times).toHaveLength(detections.length);
    expect(Math.min(...delays)).toBe(0);
    expect(Math.max(...delays)).toBeGreaterThan(1_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_500);
    for (const delivery of deliveries) {
      if (delivery.type === "trackExpired") expect(delivery.deliverAt).toBeLessThanOrEqual(delivery.endTime + 1_500);
    }
  });

  test("a track starts before and ends after all of its detections", () => {
    const { deliveries, tracks } = cameraOf({ maxLateMs: 1_500 });

    for (const { trackId, endTime } of tracks) {
      const own = deliveries.filter((delivery) =>
        delivery.type === "detectionsSeen"
          ? delivery.detections.some((seen) => seen.trackId === trackId)
          : delivery.trackId === trackId,
      );
      expect(own[0]?.type).toBe("trackStarted");
      if (endTime !== undefined) expect(own.at(-1)?.type).toBe("trackExpired");
    }
  });

  test("some come twice when asked for", () => {
    const once = cameraOf();
    const twice = cameraOf({ duplicateShare: 0.2 });

    expect(detectionsIn(twice.deliveries).length).toBeGreaterThan(detectionsIn(once.deliveries).length * 1.1);
    expect(new Set(detectionsIn(twice.deliveries).map(keyOf))).toEqual(new Set(once.detections.map(keyOf)));
  });
});
