// Recordings of other times beside live data of the same camera: history depends on each track's own events alone.
import { describe, expect, test } from "vitest";
import { createCamera, created, drawn, expired, INSIDE, recorded, seen, T0, updated } from "./camera.ts";

const DAY = 86_400_000;

/** A detection of a track of yesterday, and one of a track of today. */
const yesterday = (at: number, x = INSIDE) => recorded(seen(at - DAY, x, { trackId: "old" }));
const today = (at: number) => recorded(seen(at, INSIDE, { trackId: "new" }));

describe("a backfill beside live data", () => {
  test("gives one intersection per stay, though every message is a day away from the one before", () => {
    const camera = createCamera();
    camera.setBrokerTime(0);
    const changes = camera.fold(drawn());

    for (let at = 0; at < 30_000; at += 1_000) {
      camera.wait(200);
      changes.push(...camera.fold(yesterday(at), today(at)), ...camera.expire());
    }

    expect(changes.filter((change) => change.startsWith("START"))).toEqual(["START z -86400-/-86400", "START z 0-/0"]);
    expect(changes.filter((change) => change.startsWith("END"))).toEqual([]);
  });

  test("that is sent more slowly than it was recorded: the provisional ends are taken back", () => {
    const camera = createCamera();
    camera.setBrokerTime(0);
    camera.fold(drawn(), today(0), yesterday(0));

    camera.wait(15_001);
    camera.fold(today(15_001));
    expect(camera.dueBehind(15_001)).toEqual(["old@-86400"]);
    camera.fold(expired(-DAY, "old"));
    camera.wait(600_000);

    expect(camera.fold(today(615_001), yesterday(1_000))).toContain("UPDATE z -86400-/-86399");
  });
});

describe("memory", () => {
  test("a track at rest is remembered by broker time, whatever the other tracks' clocks say", () => {
    const camera = createCamera({ forgetAfterMs: 60_000 });
    camera.setBrokerTime(0);
    camera.fold(drawn(), yesterday(0), updated({ trackId: "old", endTime: T0 - DAY + 500 }), today(0));

    camera.wait(60_000);
    expect(camera.fold(yesterday(400))).toEqual(["UPDATE z -86400-/-86399.6"]);
  });

  test("a header that waits for its detections is not forgotten because another track is a day ahead", () => {
    const camera = createCamera();
    camera.setBrokerTime(0);
    camera.fold(drawn(), yesterday(0), created({ trackId: "late", tag: "car" }), today(0), today(1_000));

    camera.fold(recorded(seen(2_000 - DAY, INSIDE, { trackId: "late" })));

    expect(camera.out.lists["zone-intersections"].at(-1)?.tag).toBe("car");
  });
});
