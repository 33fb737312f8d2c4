import { expect, test } from "vitest";
import {
  SceneFold,
  type SeenDetection,
  type SeenStay,
  SILENCE_MS,
} from "../../../../../services/console/data/scene-fold.ts";

/** A box of 10 by 20 pixels whose left edge is at `x`. */
const detection = ({ trackId = "t", x = 0, at = 0 }: { trackId?: string; x?: number; at?: number }): SeenDetection => ({
  trackId,
  tag: "Person",
  at,
  ring: [
    [x, 0],
    [x + 10, 0],
    [x + 10, 20],
    [x, 20],
    [x, 0],
  ],
  position: null,
});

const stay = ({ id = "s", endedAt = null }: { id?: string; endedAt?: number | null }): SeenStay => ({
  id,
  trackId: "t",
  zoneId: "z",
  since: 0,
  endedAt,
});

test("an object is where its newest detection has it", () => {
  const fold = new SceneFold();

  fold.detection(detection({ x: 0, at: 1_000 }), 0);
  fold.detection(detection({ x: 30, at: 2_000 }), 0);

  expect(fold.objects.get("t")).toMatchObject({ box: [30, 0, 40, 20], at: 2_000 });
});

test("a late detection moves nothing back, and a repeated one changes nothing", () => {
  const fold = new SceneFold();
  fold.detection(detection({ x: 30, at: 2_000 }), 0);
  const before = fold.objects.get("t");

  fold.detection(detection({ x: 0, at: 1_000 }), 0);
  fold.detection(detection({ x: 30, at: 2_000 }), 0);

  expect(fold.objects.get("t")).toBe(before);
});

test("a trail has the feet of detections that are a quarter of a second apart, and no more than 40", () => {
  const fold = new SceneFold();

  for (let i = 0; i <= 100; i++) fold.detection(detection({ x: i, at: i * 125 }), 0);

  const trail = fold.objects.get("t")?.trail ?? [];
  expect(trail).toHaveLength(40);
  expect(trail.at(-1)).toEqual([105, 20]);
  expect(trail.at(-2)).toEqual([103, 20]);
});

test("a track that has ended leaves, and its late detections do not bring it back", () => {
  const fold = new SceneFold();
  fold.detection(detection({ at: 1_000 }), 0);

  fold.trackEnded("t", 1_000, 0);
  fold.detection(detection({ at: 900 }), 0);

  expect(fold.objects.size).toBe(0);
});

test("a detection after an end shows the track again", () => {
  const fold = new SceneFold();
  fold.trackEnded("t", 1_000, 0);

  fold.detection(detection({ at: 1_500 }), 0);
  fold.trackEnded("t", 1_000, 0);

  expect([...fold.objects.keys()]).toEqual(["t"]);
});

test("a track leaves when nothing has arrived of it for so long, whatever the clock of its camera", () => {
  const fold = new SceneFold();
  fold.detection(detection({ trackId: "silent", at: 9_000_000 }), 0);
  fold.detection(detection({ trackId: "seen", at: 9_000_000 }), 1_000);

  expect(fold.sweep(SILENCE_MS)).toBe(true);
  expect([...fold.objects.keys()]).toEqual(["seen"]);
  expect(fold.sweep(SILENCE_MS)).toBe(false);
});

test("a stay is there until it ends, and again when the end is taken back", () => {
  const fold = new SceneFold();
  fold.stay(stay({}), 0);
  expect([...fold.stays]).toHaveLength(1);

  fold.stay(stay({ endedAt: 5 }), 0);
  expect([...fold.stays]).toEqual([]);

  fold.stay(stay({}), 0);
  expect([...fold.stays]).toHaveLength(1);
});

test("an answer that is older than a message does not open an ended stay again", () => {
  const fold = new SceneFold();
  fold.stay(stay({ endedAt: 5 }), 0);

  fold.openStays([stay({})]);

  expect([...fold.stays]).toEqual([]);
});

test("a stay that only an earlier answer has leaves with the next answer, and one of a message remains", () => {
  const fold = new SceneFold();
  fold.openStays([stay({ id: "ended before" }), stay({ id: "told" }), stay({ id: "still there" })]);
  fold.stay(stay({ id: "told" }), 0);

  fold.openStays([stay({ id: "still there" })]);

  expect([...fold.stays].map(({ id }) => id).toSorted()).toEqual(["still there", "told"]);
});

test("the stays of a track end with it, and an older answer does not open them again", () => {
  const fold = new SceneFold();
  fold.openStays([stay({})]);

  fold.trackEnded("t", 1_000, 0);
  fold.openStays([stay({})]);

  expect([...fold.stays]).toEqual([]);
});

test("a track that falls silent takes its stays along, and brings them back with its next detection", () => {
  const fold = new SceneFold();
  fold.detection(detection({ at: 0 }), 0);
  fold.stay(stay({}), 0);

  fold.sweep(SILENCE_MS);
  expect([...fold.stays]).toEqual([]);

  fold.detection(detection({ at: 20_000 }), 20_000);
  expect([...fold.stays]).toHaveLength(1);
});

test("of a backlog only what is near its newest detection is shown", () => {
  const fold = new SceneFold();
  fold.detection(detection({ trackId: "long gone", at: 0 }), 0);
  fold.detection(detection({ trackId: "here", at: SILENCE_MS }), 0);
  fold.detection(detection({ trackId: "late", at: 0 }), 0);

  fold.sweep(0);

  expect([...fold.objects.keys()]).toEqual(["here"]);
});

test("a detection far in the future hides others no longer than it is shown", () => {
  const fold = new SceneFold();
  fold.detection(detection({ trackId: "wrong", at: 9_000_000 }), 0);
  fold.sweep(SILENCE_MS);

  fold.detection(detection({ trackId: "here", at: 0 }), SILENCE_MS);

  expect([...fold.objects.keys()]).toEqual(["here"]);
});
