import { describe, expect, test } from "vitest";
import { takeTouched } from "../../../../projections/live/partition.ts";
import { everything } from "../../../../projections/live/persist.ts";
import {
  createCamera,
  created,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  recorded,
  recordedBy,
  seen,
  T0,
  updated,
} from "./camera.ts";

describe("an explicit end", () => {
  test("closes the open intersections at its own time, after the detections of the same event", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)));

    const changes = camera.fold(updated({ endTime: T0 + 700, detections: [seen(500, INSIDE)] }));

    expect(changes).toEqual(["END z 0-0.7/0.5"]);
  });

  test("before the last detection inside moves to that detection", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE), seen(900, INSIDE)));

    expect(camera.fold(updated({ endTime: T0 + 300 }))).toEqual(["END z 0-0.9/0.9"]);
  });

  test("more than the time to live after the last detection is preceded by the expiry", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)));

    expect(camera.fold(updated({ endTime: T0 + 15_001 }))).toEqual(["END z 0-0/0"]);
  });

  test("after an expiry corrects the end of the intersections, and does so once", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)), expired(0));

    expect(camera.fold(updated({ endTime: T0 + 2_000 }))).toEqual(["END z 0-2/0"]);
    expect(camera.fold(updated({ endTime: T0 + 2_000 }))).toEqual([]);
  });

  test("is remembered: late and repeated detections change nothing", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)), updated({ endTime: T0 + 500, detections: [seen(500, INSIDE)] }));

    expect(camera.fold(recorded(seen(0, INSIDE), seen(250, INSIDE), seen(500, INSIDE)))).toEqual([]);
    expect(camera.out).toMatchObject({ late: 2, duplicates: 1 });
  });

  test("is overtaken by a newer detection, which opens a new stretch; its repetition does not end that", () => {
    const camera = createCamera();
    const end = updated({ endTime: T0 + 500, detections: [seen(500, INSIDE)] });
    camera.fold(drawn(), end);

    expect(camera.fold(recorded(seen(800, INSIDE)))).toEqual(["START z 0.8-/0.8"]);
    expect(camera.fold(end)).toEqual([]);
  });

  test("announced with the track lets its detections follow", () => {
    const camera = createCamera();

    const changes = camera.fold(
      drawn(),
      created({ endTime: T0 + 3_000, detections: [seen(0, INSIDE)] }),
      recorded(seen(2_000, INSIDE)),
      expired(2_000),
    );

    expect(changes).toEqual(["START z 0-/0", "END z 0-3/0", "UPDATE z 0-/2", "END z 0-3/2"]);
  });

  test("taken back leaves an end by time-out, which the next detection takes back as well", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)), updated({ endTime: T0 + 500 }));

    expect(camera.fold(updated({ cleared: ["endTime"] }))).toEqual(["END z 0-0/0"]);
    expect(camera.fold(recorded(seen(900, INSIDE)))).toEqual(["UPDATE z 0-/0.9"]);
  });
});

describe("expiry", () => {
  test("by the log's clock: due after more than the time to live, given once, applied when it comes back", () => {
    const camera = createCamera();
    const other = (at: number) => recorded(seen(at, OUTSIDE, { trackId: "other" }));
    camera.fold(drawn(), recorded(seen(0, INSIDE)), other(15_000));
    expect(camera.dueBehind(15_000)).toEqual([]);

    camera.fold(other(15_001));

    expect(camera.dueBehind(15_001)).toEqual(["t@0"]);
    expect(camera.dueBehind(15_001)).toEqual([]);
    expect(camera.fold(expired(0))).toEqual(["END z 0-0/0"]);
    expect(camera.dueBehind(15_001)).toEqual([]);
  });

  test("by the wall clock when the log is silent", () => {
    const camera = createCamera();
    camera.fold(recorded(seen(0, INSIDE), seen(10, INSIDE, { trackId: "u" })));

    expect(camera.due(15_009)).toEqual([]);
    expect(camera.due(15_010)).toEqual(["t@0", "u@0.01"]);
  });

  test("does not go by the wall clock while the log holds messages that were not folded", () => {
    const camera = createCamera();
    camera.fold(recorded(seen(0, INSIDE)));

    expect(camera.dueBehind(60_000)).toEqual([]);
    expect(camera.due(60_000)).toEqual(["t@0"]);
  });

  test("is asked for again when a newer detection has overtaken it", () => {
    const camera = createCamera();
    camera.fold(recorded(seen(0, INSIDE)));
    expect(camera.due(15_000)).toEqual(["t@0"]);

    camera.fold(recorded(seen(1_000, INSIDE)), expired(0));

    expect(camera.due(30_000)).toEqual(["t@1"]);
  });

  test("is not asked for twice when an older one comes back meanwhile", () => {
    const camera = createCamera();
    camera.fold(recorded(seen(0, INSIDE)));
    expect(camera.due(15_000)).toEqual(["t@0"]);
    camera.fold(recorded(seen(1_000, INSIDE)));
    expect(camera.due(30_000)).toEqual(["t@1"]);

    camera.fold(expired(0));

    expect(camera.due(30_000)).toEqual([]);
  });

  test("that a newer detection stands before is ignored, and so is one of an ended track", () => {
    const camera = createCamera();

    const changes = camera.fold(drawn(), recorded(seen(0, INSIDE)), recorded(seen(500, INSIDE)), expired(0));

    expect(changes).toEqual(["START z 0-/0"]);
    expect(camera.fold(updated({ endTime: T0 + 500 }), expired(500))).toEqual(["END z 0-0.5/0.5"]);
  });

  test("is taken back by a detection within the time to live: same intersections, another END if that is outside", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)), expired(0));

    expect(camera.fold(recorded(seen(15_000, INSIDE)))).toEqual(["UPDATE z 0-/15"]);
    camera.fold(expired(15_000));
    expect(camera.fold(recorded(seen(16_000, OUTSIDE)))).toEqual(["UPDATE z 0-/15", "END z 0-16/15"]);
    expect(new Set(camera.out.lists["zone-intersections"].map((change) => change.intersectionId)).size).toBe(1);
  });

  test("stands when the next detection comes later: a new stretch begins", () => {
    const camera = createCamera();
    camera.fold(drawn(), recorded(seen(0, INSIDE)), expired(0));

    expect(camera.fold(recorded(seen(15_001, INSIDE)))).toEqual(["START z 15.001-/15.001"]);
  });

  test("seen as a gap in the log closes first; the TrackExpired that comes after is ignored", () => {
    const camera = createCamera();

    const changes = camera.fold(drawn(), recorded(seen(0, INSIDE), seen(15_001, INSIDE)), expired(0));

    expect(changes).toEqual(["START z 0-/0", "END z 0-0/0", "START z 15.001-/15.001"]);
  });

  test("does not come at a gap of exactly the time to live", () => {
    const camera = createCamera();

    expect(camera.fold(drawn(), recorded(seen(0, INSIDE), seen(15_000, INSIDE)))).toEqual([
      "START z 0-/0",
      "UPDATE z 0-/15",
    ]);
  });

  test("does not mind a clock that was set back", () => {
    const camera = createCamera();
    camera.fold(recorded(seen(3_600_000, INSIDE, { trackId: "before" })), recorded(seen(0, INSIDE)));

    camera.wait(16_000);
    camera.fold(recorded(seen(16_000, INSIDE, { trackId: "other" })));

    expect(camera.dueBehind(3_616_000)).toEqual(["t@0", "before@3600"]);
  });

  test("of tracks ahead of a clock that was set back goes by broker time", () => {
    const camera = createCamera();
    camera.fold(recorded(seen(3_600_000, INSIDE)), recorded(seen(0, INSIDE, { trackId: "u" })));
    expect(camera.due(3_600_000)).toEqual([]);

    camera.wait(15_001);
    camera.fold(recorded(seen(15_000, INSIDE, { trackId: "u" })));

    expect(camera.due(3_615_001)).toEqual(["t@3600"]);
  });

  test("gives the same history with and without a provisional end in between", () => {
    const detections = [0, 9_000, 20_000, 36_000, 40_000].map((at, i) => seen(at, i === 2 ? OUTSIDE : INSIDE));
    const calm = createCamera();
    const nervous = createCamera();

    calm.fold(drawn(), recorded(...detections));
    nervous.fold(drawn(), ...detections.flatMap((each) => [recorded(each), expired(each.timestamp - T0)]));
    calm.fold(expired(40_000));

    const ends = (camera: typeof calm) =>
      new Map(camera.out.lists["zone-intersections"].map((change) => [change.intersectionId, change.endTime]));
    expect(ends(nervous)).toEqual(ends(calm));
  });
});

describe("memory", () => {
  test("an ended track is kept until broker time is far enough past its end, then deleted", () => {
    const camera = createCamera({ forgetAfterMs: 60_000 });
    camera.fold(recorded(seen(0, INSIDE)), updated({ endTime: T0 }));
    takeTouched(camera.state);

    camera.fold(recorded(seen(60_000, INSIDE, { trackId: "u" })));
    expect(everything(camera.state).tracks.has("t")).toBe(true);

    camera.fold(recorded(seen(60_001, INSIDE, { trackId: "u" })));
    expect(everything(camera.state).tracks.has("t")).toBe(false);
    expect(takeTouched(camera.state).tracks.get("t")).toBeNull();
  });

  test("a track without detections is forgotten as well", () => {
    const camera = createCamera({ forgetAfterMs: 60_000 });

    camera.fold(
      recorded(seen(0, INSIDE, { trackId: "u" })),
      created(),
      recorded(seen(60_001, INSIDE, { trackId: "u" })),
    );

    expect([...everything(camera.state).tracks.keys()]).toEqual(["u"]);
  });

  test("the tag of a header that comes later is used from then on", () => {
    const camera = createCamera();

    camera.fold(drawn(), recorded(seen(0, INSIDE)), created({ tag: "car" }), recorded(seen(100, OUTSIDE)));

    expect(camera.out.lists["zone-intersections"].map((change) => change.tag)).toEqual(["", "car"]);
  });

  test("sources do not know each other's clocks", () => {
    const camera = createCamera();
    camera.setBrokerTime(0);
    camera.fold(recorded(seen(0, INSIDE)), recordedBy("far", seen(60_000, INSIDE, { trackId: "u" })));

    expect(camera.due(0)).toEqual([]);
  });

  test("of more ended tracks than are to be remembered those that ended first go", () => {
    const camera = createCamera({ rememberedTracks: 2 });
    const ended = (trackId: string, at: number) =>
      updated({ trackId, endTime: T0 + at, detections: [seen(at, OUTSIDE, { trackId })] });
    camera.fold(recorded(seen(0, OUTSIDE)), ended("a", 0), ended("b", 1), ended("c", 2));

    expect([...everything(camera.state).tracks.keys()].sort()).toEqual(["b", "c", "t"]);
    expect(takeTouched(camera.state).tracks.get("a")).toBeNull();
  });

  test("what has rested long enough is forgotten at the message that asks for it, though much is still to be swept", () => {
    const camera = createCamera({ forgetAfterMs: 60_000 });
    const ids = Array.from({ length: 50 }, (_, i) => `track ${i}`);
    camera.fold(
      drawn(),
      ...ids.map((trackId) => updated({ trackId, endTime: T0, detections: [seen(0, INSIDE, { trackId })] })),
    );

    camera.wait(60_001);

    expect(camera.fold(recorded(seen(1_000, INSIDE, { trackId: "track 49" })))).toEqual(["START z 1-/1"]);
    camera.fold(...ids.slice(0, 4).map(() => drawn()));
    expect([...everything(camera.state).tracks.keys()]).toEqual(["track 49"]);
  });
});
