import { expect, test } from "vitest";
import { foldCameraLog } from "../../../projections/feed/fold-camera-log.ts";
import { createTrackMemory, learnTrack, type TrackMemory } from "../../../projections/feed/track-memory.ts";
import { at, created, detection, recorded, updated } from "../../support/feed-events.ts";

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

test("what was learned of a track counts against the bound, and goes when the track goes", () => {
  const memory = createTrackMemory({ maxTracks: 2, maxPositions: 4 });
  fold(
    memory,
    recorded("cam", detection("old", 1, seenAt(1))),
    created("other", { detections: [detection("other", 1, seenAt(1))] }),
  );
  const old = memory.peek(of("old"));
  if (old === undefined) throw new Error("not remembered");

  memory.learnPositions(of("old"), old.seen, [7, 0, 8, 0, 9, 0]);
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
  learnTrack(memory, { ...of("d"), tag: "", startTime: 0, endTime: null, modelId: null, properties: null, metadata });
  expect(known()).toEqual(["b", "d"]);
  fold(memory, updated("b", { metadata: "1" }), created("a", { metadata }));
  expect(known()).toEqual(["a", "b", "d"]);
});

test("a late detection gives no message, and counts among the positions of its track", () => {
  const memory = createTrackMemory({ maxTracks: 2, maxPositions: 100 });
  const many = Array.from({ length: 40 }, (_, i) => detection("t", i + 10));
  fold(memory, created("t", { detections: many }));

  expect(fold(memory, recorded("cam", detection("t", 1, seenAt(5))))).toEqual([]);
  expect(memory.peek(of("t"))?.seen.pairs).toEqual([5, 0]);
});
