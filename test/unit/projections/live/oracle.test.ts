import { expect, test } from "vitest";
import { dueExpiries, type Outputs } from "../../../../projections/live/partition.ts";
import type { CameraLogEvent, Detection } from "../../../../schemas/events.ts";
import { expectedIntersections } from "../../../support/oracles/oracle.ts";
import { type Camera, createCamera, drawn, polygon, recorded, rectangle, seen, settings, T0 } from "./camera.ts";
import { createRandom, type Random } from "./random-log.ts";

const zones: Record<string, number[][]> = {
  arch: [[0, 0, 300, 0, 300, 90, 250, 90, 250, 50, 50, 50, 50, 90, 0, 90, 0, 0]],
  box: [rectangle(100, 0, 200, 100)],
  ring: [rectangle(0, 0, 300, 300), rectangle(60, 20, 240, 80)],
  triangle: [[150, 10, 290, 90, 10, 90, 150, 10]],
};

test("with duplicates and late delivery the intersections are those of brute force", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed);
    const walked = walk(random);
    const camera = cameraWithZones(2_000);

    for (const detection of lateAndTwice(walked, random)) camera.fold(recorded(detection));
    camera.fold(...overdue(camera, 2_000));

    expect(newestStates(camera.out), `seed ${seed}`).toEqual(expectedIntersections(oracleInput(walked)));
    expect(camera.out.late).toBe(0);
  }
});

test("with a stalling sender, so that tracks expire again and again, they are the same", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed);
    const walked = walk(random);
    const camera = cameraWithZones(0);

    for (const detection of walked) {
      camera.fold(recorded(detection, detection));
      if (random() < 0.1) camera.fold(...overdue(camera, 0));
    }
    camera.fold(...overdue(camera, 0));

    expect(newestStates(camera.out), `seed ${seed}`).toEqual(expectedIntersections(oracleInput(walked)));
  }
});

test.each([0, 2_000])(
  "recordings of different days side by side in one camera give what each alone gives (reorder %i ms)",
  (reorderMs) => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = createRandom(seed);
      const recordings = [0, -DAY, -DAY - 40_000].map((shift, i) =>
        walk(random).map((each) => ({ ...each, trackId: `${i}-${each.trackId}`, timestamp: each.timestamp + shift })),
      );
      const camera = cameraWithZones(reorderMs);
      camera.setBrokerTime(0);

      for (const detection of interleaved(recordings, random)) {
        camera.wait(random() < 0.005 ? 20_000 * 5 ** Math.round(random()) : random() * 400);
        camera.fold(recorded(detection));
        if (random() < 0.1) camera.expire();
      }
      camera.fold(...overdue(camera, reorderMs));

      expect(newestStates(camera.out), `seed ${seed}`).toEqual(expectedIntersections(oracleInput(recordings.flat())));
      expect(camera.out.late).toBe(0);
    }
  },
);

const DAY = 86_400_000;

/** Each in its own order, taken from at random. */
function interleaved(recordings: readonly (readonly Detection[])[], random: Random): Detection[] {
  const left = recordings.map((recording) => [...recording].reverse());
  const mixed: Detection[] = [];
  while (left.some(({ length }) => length > 0)) {
    const next = left[Math.floor(random() * left.length)]?.pop();
    if (next !== undefined) mixed.push(next);
  }
  return mixed;
}

function cameraWithZones(reorderMs: number): Camera {
  const camera = createCamera({ reorderMs });
  camera.fold(...Object.entries(zones).map(([zoneId, rings]) => drawn({ zoneId, polygon: polygon(...rings) })));
  return camera;
}

/** The tracks that the wall clock ends after a very long silence. */
function overdue(camera: Camera, reorderMs: number): CameraLogEvent[] {
  const ends = dueExpiries(
    camera.state,
    { nowMs: T0 + 1e9, caughtUp: true, readUpTo: camera.offset },
    { ...settings, reorderMs },
  );
  return ends.map((event) => ({ type: "TrackExpired", event }));
}

function walk(random: Random): Detection[] {
  const detections: Detection[] = [];
  const place = new Map<string, number>();
  for (let at = 0; at < 90_000; at += 1 + Math.floor(random() * 300)) {
    const trackId = `t${Math.floor(random() * 3)}`;
    const x = (place.get(trackId) ?? random() * 300) + (random() - 0.5) * 40;
    place.set(trackId, x);
    detections.push(seen(at, x, { trackId }));
    if (random() < 0.01) at += 15_000;
  }
  return detections;
}

function lateAndTwice(detections: readonly Detection[], random: Random): Detection[] {
  return detections
    .flatMap((detection) => (random() < 0.1 ? [detection, { ...detection }] : [detection]))
    .map((detection) => ({ detection, arrival: detection.timestamp + random() * 2_000 }))
    .sort((a, b) => a.arrival - b.arrival)
    .map(({ detection }) => detection);
}

const oracleInput = (detections: readonly Detection[]) => ({
  detections: detections.map(({ trackId, timestamp, polygon: box }) => ({
    trackId,
    timestamp,
    ring: pointsOf(box?.rings[0] ?? []),
  })),
  zones: Object.entries(zones).map(([zoneId, rings]) => ({ zoneId, rings: rings.map(pointsOf) })),
});

const pointsOf = (ring: readonly number[]): number[][] =>
  ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : []));

function newestStates({ lists }: Outputs) {
  const byId = new Map(lists["zone-intersections"].map((change) => [change.intersectionId, change]));
  return [...byId.values()]
    .map(({ trackId, zoneId, startTime, endTime }) => ({ trackId, zoneId, startTime, endTime }))
    .sort((a, b) => order(a.trackId, b.trackId) || order(a.zoneId, b.zoneId) || a.startTime - b.startTime);
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
