import { expect, test } from "vitest";
import { foldCameraLog } from "../../../../projections/feed/fold-camera-log.ts";
import { lastDetectionOf } from "../../../../projections/feed/remembered-track.ts";
import { createTrackMemory, rememberTrack, type TrackMemory } from "../../../../projections/feed/track-memory.ts";
import { seenLast } from "../../../../projections/track/seen-last.ts";
import { at, created, detection, recorded, updated } from "../../../support/scenes/feed-events.ts";
import { createRandom } from "../live/random-log.ts";

const of = (trackId: string) => ({ trackId, dataSourceId: "cam" });
const seenAt = (longitude: number) => ({ position: { longitude, latitude: 0, altitude: null, crs: null } });

function fold(memory: TrackMemory, ...events: Parameters<typeof foldCameraLog>[1][]) {
  return events.flatMap((event, offset) => foldCameraLog(memory, event, { offset, recordedAt: at(99) }));
}

test("beyond the bound the positions of the track that has not moved for longest are let go, not the track", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 3 });
  fold(memory, created("still", { detections: [detection("still", 0, seenAt(1)), detection("still", 1, seenAt(2))] }));
  fold(
    memory,
    created("moving", { detections: [detection("moving", 0, seenAt(1)), detection("moving", 1, seenAt(2))] }),
  );

  expect(memory.peek(of("still"))).toMatchObject({
    started: true,
    seen: { since: null, before: undefined, pairs: [] },
  });
  expect(memory.peek(of("moving"))?.seen).toMatchObject({ since: 0, before: [], pairs: [1, 0, 2, 0] });

  fold(memory, recorded("cam", detection("none", 1)), recorded("cam", detection("still", 2, seenAt(3))));
  expect(memory.peek(of("still"))?.seen).toMatchObject({ since: 1, before: undefined, pairs: [3, 0] });
});

test("what was found of a track counts against the bound, and goes when the track goes", () => {
  const memory = createTrackMemory({ maxTracks: 2, maxPositions: 4 });
  fold(
    memory,
    recorded("cam", detection("old", 1, seenAt(1))),
    created("other", { detections: [detection("other", 1, seenAt(1))] }),
  );
  const old = memory.peek(of("old"));
  if (old === undefined) throw new Error("not remembered");

  memory.addPositionsBefore(of("old"), old.seen, [7, 0, 8, 0, 9, 0]);
  expect(memory.peek(of("other"))?.seen.pairs).toEqual([]);
  expect(memory.peek(of("old"))?.seen).toMatchObject({ before: [7, 0, 8, 0, 9, 0], pairs: [1, 0] });

  fold(memory, created("third"), created("fourth"));
  fold(memory, recorded("cam", detection("third", 1, seenAt(1)), detection("fourth", 1, seenAt(2))));
  expect(memory.peek(of("third"))?.seen.pairs).toEqual([1, 0]);
});

test("headers are bounded by their characters together, whether a creation, an update or a look-up brought them", () => {
  const memory = createTrackMemory({ maxTracks: 100, maxPositions: 10 });
  const metadata = "x".repeat(40_000);
  const known = () => ["a", "b", "c", "d"].filter((id) => memory.peek(of(id)) !== undefined);

  fold(memory, created("a", { metadata }), created("b"), created("c", { metadata }));
  expect(known()).toEqual(["a", "b", "c"]);
  fold(memory, updated("b", { metadata }));
  expect(known()).toEqual(["b", "c"]);
  rememberTrack(memory, {
    ...of("d"),
    tag: "",
    startTime: 0,
    endTime: null,
    modelId: null,
    properties: null,
    metadata,
  });
  expect(known()).toEqual(["b", "d"]);
  fold(memory, updated("b", { metadata: "1" }), created("a", { metadata }));
  expect(known()).toEqual(["a", "b", "d"]);
});

test("an id alone means the track with the later detection by event time, whatever the log named last", () => {
  const memory = createTrackMemory({ maxTracks: 2, maxPositions: 10 });
  const sourceOf = () => memory.peekById("t")?.dataSourceId;
  const twin = { dataSourceId: "other" };

  fold(memory, recorded("cam", detection("t", 5)), created("t", { ...twin, detections: [detection("t", 4)] }));
  expect(sourceOf()).toBe("cam");
  fold(memory, recorded("other", detection("t", 5)), updated("t", { ...twin, tag: "car" }));
  expect(sourceOf()).toBe("cam");
  fold(memory, recorded("other", detection("t", 6)));
  expect(sourceOf()).toBe("other");

  // The memory then forgets the camera's track first, and its twin after that.
  fold(memory, created("third"));
  expect(sourceOf()).toBe("other");
  fold(memory, created("fourth"));
  expect(sourceOf()).toBeUndefined();
});

test("a late detection gives no message, and counts among the positions of its track", () => {
  const memory = createTrackMemory({ maxTracks: 2, maxPositions: 100 });
  const many = Array.from({ length: 40 }, (_, i) => detection("t", i + 10));
  fold(memory, created("t", { detections: many }));

  expect(fold(memory, recorded("cam", detection("t", 1, seenAt(5))))).toEqual([]);
  expect(memory.peek(of("t"))?.seen.pairs).toEqual([5, 0]);
});

test("a very late detection is within the span that the next message shows", () => {
  const memory = createTrackMemory({ maxTracks: 10, maxPositions: 10 });
  const detections = Array.from({ length: 40 }, (_, i) => detection("t", 100 + i));
  fold(memory, created("t"), recorded("cam", ...detections), recorded("cam", detection("t", 5)));

  const messages = fold(memory, recorded("cam", detection("t", 150)));

  expect(messages.length).toBeGreaterThan(0);
  for (const message of messages) expect(message.track?.firstDetectionAt).toBe(at(5));
});

test("an id that 50 000 cameras share costs a detection, an answer and a forgotten track a few comparisons", () => {
  const cameras = 50_000;
  const memory = createTrackMemory({ maxTracks: cameras, maxPositions: 10 });
  const cameraOf = (number: number) => `cam${String(number).padStart(5, "0")}`;
  for (let i = 0; i < cameras; i++) fold(memory, recorded(cameraOf(i), detection("t", i)));
  let reads = 0;
  for (let i = 0; i < cameras; i++) {
    const track = memory.peek({ trackId: "t", dataSourceId: cameraOf(i) });
    const recent = track?.recent;
    if (track !== undefined) Object.defineProperty(track, "recent", { get: () => ++reads && recent });
  }

  expect(memory.peekById("t")?.dataSourceId).toBe(cameraOf(cameras - 1));
  fold(memory, recorded(cameraOf(77), detection("t", cameras)));
  expect(memory.peekById("t")?.dataSourceId).toBe(cameraOf(77));
  fold(memory, recorded("one more", detection("t", 5)));
  expect(memory.peek({ trackId: "t", dataSourceId: cameraOf(0) })).toBeUndefined();
  expect(memory.peekById("t")?.dataSourceId).toBe(cameraOf(77));

  expect(reads).toBeLessThan(300);
});

test("an id alone means the track seen last, whatever is seen, named or forgotten in between", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const memory = createTrackMemory({ maxTracks: 12, maxPositions: 10 });
    const sources = Array.from({ length: 30 }, (_, i) => `cam${i}`);
    for (let i = 0; i < 300; i++) {
      const dataSourceId = sources[Math.floor(random() * sources.length)] ?? "";
      const second = Math.floor(random() * 40);
      if (random() < 0.7) fold(memory, recorded(dataSourceId, detection("t", second)));
      else fold(memory, created("t", { dataSourceId, detections: random() < 0.5 ? [detection("t", second)] : [] }));

      const tracks = sources.flatMap((each) => memory.peek({ trackId: "t", dataSourceId: each }) ?? []);
      const meant = seenLast(tracks, (track) => ({
        dataSourceId: track.dataSourceId,
        lastSeen: lastDetectionOf(track),
      }));
      expect(memory.peekById("t"), `seed ${seed}, message ${i}`).toBe(meant);
    }
  }
});
