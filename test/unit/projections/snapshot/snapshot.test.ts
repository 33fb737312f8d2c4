import { expect, test } from "vitest";
import { closestFrame, type SnapshotRequest, snapshotOf } from "../../../../projections/snapshot/snapshot.ts";
import { inOrder, neighbours } from "../../../../projections/snapshot/spot.ts";
import { zone } from "../../../support/scenes/zone.ts";
import { boxAround, START, spot } from "./paths.ts";

const AS_OF = Date.UTC(2026, 5, 1);

const spots = inOrder(
  [2, 0, 1, 1, 3].map((second) =>
    spot({
      at: START + second * 1000,
      box: boxAround({ x: 10 * second, y: 5 }, 10, 10),
      place: { longitude: 10, latitude: 50 + second / 1000 },
      recordedAt: AS_OF + second * 1000,
    }),
  ),
);

const ask = (overrides: Partial<SnapshotRequest> = {}) =>
  snapshotOf({
    trackId: "t1",
    tag: "person",
    timestamp: "2026-01-01T00:00:01.5Z",
    at: START + 1_500,
    windowSeconds: 1,
    spots,
    stays: [],
    zonesAt: (time) => ({ zones: [zone()], asOf: time ?? 0 }),
    ...overrides,
  });

test("a snapshot has every field of the interface", () => {
  expect(ask()).toEqual({
    track_id: "t1",
    tag: "person",
    timestamp: "2026-01-01T00:00:01.5Z",
    window_seconds: 1,
    detections_in_window: 2,
    position: {
      method: "linear",
      offset_ms: 500,
      pix: { x: 15, y: 5 },
      geo: { lon: 10, lat: expect.closeTo(50.0015, 9) },
      polygon: [
        [10, 0],
        [20, 0],
        [20, 10],
        [10, 10],
      ],
    },
    motion: {
      pix: { avg_velocity: 10, max_velocity: 10, direction: 90, sample_count: 1 },
      geo: {
        avg_velocity: expect.closeTo(111.195, 3),
        max_velocity: expect.closeTo(111.195, 3),
        direction: 0,
        sample_count: 1,
      },
    },
    zones: { active_at_timestamp: {} },
    zones_as_of: "2026-06-01T00:00:01.500Z",
  });
});

test("both ends of the window belong to it", () => {
  expect(ask({ windowSeconds: 0.5 })?.detections_in_window).toBe(2);
  expect(ask({ windowSeconds: 0.499 })).toBeNull();
  expect(ask({ windowSeconds: 0, at: START + 2_000 })?.position.method).toBe("real");
});

test("the closest frame is the nearest detection, of two the earlier one", () => {
  const closest = (at: number) => closestFrame("t1", neighbours(spots, START + at), START + at);

  expect(closest(1_600)).toEqual({
    track_id: "t1",
    timestamp: "2026-01-01T00:00:02.000Z",
    offset_ms: 400,
    position: { pix: { x: 20, y: 5 }, geo: { lon: 10, lat: 50.002 } },
    polygon: [
      [15, 0],
      [25, 0],
      [25, 10],
      [15, 10],
    ],
  });
  expect([-7_000, 1_500, 99_000].map((at) => closest(at)?.offset_ms)).toEqual([7_000, 500, 96_000]);
  expect(closest(1_500)?.timestamp).toBe("2026-01-01T00:00:01.000Z");
  expect(closestFrame("t1", neighbours([], START), START)).toBeUndefined();
});
