import { expect, test } from "vitest";
import type { Outputs } from "../../../../projections/live/partition.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import {
  createCamera,
  created,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  polygon,
  recorded,
  rectangle,
  seen,
  T0,
  updated,
} from "./camera.ts";
import { below, createRandom } from "./random-log.ts";

test("detections are folded in timestamp order once the clock has moved on far enough", () => {
  const camera = createCamera({ reorderMs: 1_000 });

  expect(camera.fold(drawn(), recorded(seen(0, INSIDE)), recorded(seen(900, OUTSIDE)))).toEqual([]);
  expect(camera.fold(recorded(seen(500, INSIDE)))).toEqual([]);
  expect(camera.fold(recorded(seen(1_899, OUTSIDE)))).toEqual(["START z 0-/0"]);
  expect(camera.fold(recorded(seen(1_900, OUTSIDE)))).toEqual(["END z 0-0.9/0.5"]);
  expect(camera.out).toMatchObject({ late: 0, duplicates: 0 });
});

test("an explicit end waits for its turn, a zone and a tag do not", () => {
  const camera = createCamera({ reorderMs: 1_000 });
  camera.fold(drawn(), recorded(seen(0, INSIDE)), updated({ endTime: T0 + 600 }), created({ tag: "car" }));

  const changes = camera.fold(recorded(seen(500, INSIDE)), recorded(seen(1_600, OUTSIDE, { trackId: "u" })));

  expect(changes).toEqual(["START z 0-/0", "END z 0-0.6/0.5"]);
  expect(camera.out.lists["zone-intersections"][0]?.tag).toBe("car");
});

test("an explicit end that was taken back while it waited does not come", () => {
  const camera = createCamera({ reorderMs: 1_000 });
  camera.fold(drawn(), recorded(seen(0, INSIDE)), updated({ endTime: T0 }), updated({ cleared: ["endTime"] }));

  expect(camera.fold(recorded(seen(1_000, INSIDE)))).toEqual(["START z 0-/0"]);
});

test("what a silent source has left behind is released by the log itself", () => {
  const camera = createCamera({ reorderMs: 5_000 });
  camera.fold(drawn(), recorded(seen(0, INSIDE), seen(10, INSIDE, { trackId: "u" }), seen(1_000, INSIDE)));

  expect(camera.due(15_999)).toEqual([]);
  expect(camera.due(16_000)).toEqual(["u@0.01", "t@1"]);
  expect(camera.due(16_000)).toEqual([]);

  const changes = camera.fold(expired(10, "u"), expired(1_000, "t"));
  expect(changes).toEqual([
    "START z 0-/0",
    "START z 0.01-/0.01",
    "END z 0.01-0.01/0.01",
    "UPDATE z 0-/1",
    "END z 0-1/1",
  ]);
});

test("an expiry is ignored when a newer detection of the track is held", () => {
  const camera = createCamera({ reorderMs: 5_000 });

  const changes = camera.fold(drawn(), recorded(seen(0, INSIDE)), recorded(seen(1_000, INSIDE)), expired(0));

  expect(changes).toEqual(["START z 0-/0"]);
});

test("what lies ahead of a clock that was set back is released by broker time", () => {
  const camera = createCamera({ reorderMs: 1_000 });
  camera.fold(drawn(), recorded(seen(3_600_000, INSIDE)), recorded(seen(0, OUTSIDE, { trackId: "u" })));
  camera.wait(16_001);

  const changes = camera.fold(recorded(seen(16_000, OUTSIDE, { trackId: "u" })));

  expect(changes).toEqual(["START z 3600-/3600"]);
});

test("beside a track that is a day ahead only the order within a message's wait is restored: what comes later is late", () => {
  const camera = createCamera({ reorderMs: 1_000 });
  const ahead = (at: number) => recorded(seen(at + 86_400_000, OUTSIDE, { trackId: "ahead" }));
  camera.fold(drawn(), ahead(0), recorded(seen(500, OUTSIDE)), recorded(seen(0, INSIDE)));

  expect(camera.fold(ahead(500))).toEqual(["START z 0-/0", "END z 0-0.5/0"]);
  expect(camera.fold(recorded(seen(400, INSIDE)), ahead(1_000))).toEqual([]);
  expect(camera.out.late).toBe(1);
});

test("delivery that is late by no more than the reorder time gives what sorted delivery gives", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const reports = walk(() => random());
    const late = reports
      .map((report) => ({ report, arrival: timeOf(report) + below(random, 2_001) }))
      .sort((a, b) => a.arrival - b.arrival)
      .map(({ report }) => report);
    const close = recorded(seen(500_000, OUTSIDE, { trackId: "clock" }));
    const ordered = createCamera();
    const reordered = createCamera({ reorderMs: 2_000 });

    for (const [camera, delivered] of [
      [ordered, reports],
      [reordered, late],
    ] as const) {
      camera.fold(...zones, ...delivered);
      // The camera's clock alone advances.
      camera.setBrokerTime(122_000);
      camera.fold(close);
    }

    expect(withoutCause(reordered.out), `seed ${seed}`).toEqual(withoutCause(ordered.out));
    expect(reordered.out.late).toBe(0);
  }
});

const zones = [drawn(), drawn({ zoneId: "y", polygon: polygon(rectangle(140, 0, 260, 100)), exitDelayMs: 700 })];

/** Single detections and ends in time order, all at different times; tracks pause, end and return. */
function walk(random: () => number): CameraLogEvent[] {
  const reports: CameraLogEvent[] = [];
  for (let at = 0; at < 120_000; at += 1 + Math.floor(random() * 600)) {
    const trackId = `t${Math.floor(random() * 3)}`;
    if (random() < 0.02) reports.push(updated({ trackId, endTime: T0 + at }));
    else reports.push(recorded(seen(at, 80 + random() * 200, { trackId })));
    if (random() < 0.02) at += 16_000;
  }
  return reports;
}

function timeOf(report: CameraLogEvent): number {
  if (report.type === "DetectionsRecorded") return report.event.detections[0]?.timestamp ?? 0;
  return report.type === "TrackUpdated" ? (report.event.endTime ?? 0) : 0;
}

const withoutCause = (out: Outputs) => out.lists["zone-intersections"].map(({ cause: _, ...change }) => change);
