import { expect, test } from "vitest";
import { takeEndsOfForgotten, takeTouched } from "../../../../projections/live/partition.ts";
import { everything, restore } from "../../../../projections/live/persist.ts";
import { type Camera, createCamera, drawn, expired, INSIDE, OUTSIDE, recorded, seen, settings, T0 } from "./camera.ts";

const MARGIN = 60_000;
const SILENT = settings.trackTtlMs + MARGIN + 1;
const other = recorded(seen(SILENT, OUTSIDE, { trackId: "other" }));

/** A track in the zone, and then so long without any message. */
function silentFor(ms: number, overrides: Parameters<typeof createCamera>[0] = {}) {
  const camera = createCamera(overrides);
  camera.setBrokerTime(0);
  camera.fold(drawn(), recorded(seen(0, INSIDE)));
  camera.wait(ms);
  return camera;
}

test("the fold ends a track that was silent for its time to live and a minute by the log's own clock", () => {
  expect(silentFor(SILENT).fold(other)).toEqual(["END z 0-0/0"]);
  expect(silentFor(SILENT - 1).fold(other)).toEqual([]);
});

test("a detection that comes in time takes such an end back", () => {
  const camera = silentFor(SILENT);
  camera.fold(other);

  expect(camera.fold(recorded(seen(1_000, INSIDE)))).toEqual(["UPDATE z 0-/1"]);
  expect(camera.due(0)).toEqual([]);
});

test("the owner writes the expiry of such a track once, with the offset at which the fold ended it", () => {
  const camera = silentFor(SILENT);
  camera.fold(other, other);

  expect(camera.due(0)).toEqual(["t@0"]);
  expect(camera.due(0)).toEqual([]);
});

test("the owner writes no expiry that the log holds further on", () => {
  const camera = silentFor(SILENT);
  camera.fold(other);

  camera.fold(expired(0));

  expect(camera.due(0)).toEqual([]);
});

test("an expiry that is on its way is not written again", () => {
  const camera = silentFor(SILENT);
  expect(camera.due(SILENT)).toEqual(["t@0"]);

  camera.fold(other);

  expect(camera.due(0)).toEqual([]);
});

test("of a track that is forgotten before the owner has read the whole log, the expiry is kept for it", () => {
  const camera = silentFor(SILENT, { rememberedTracks: 2 });
  camera.fold(other);
  camera.wait(SILENT);

  camera.fold(recorded(seen(2 * SILENT, OUTSIDE, { trackId: "third" })));

  expect(takeEndsOfForgotten(camera.state)).toEqual([
    { trackId: "t", dataSourceId: "cam", endTime: T0, reason: "expired", readUpTo: 2 },
  ]);
  expect(takeEndsOfForgotten(camera.state)).toEqual([]);
});

test("a rebuild keeps no expiry that an earlier owner has written", () => {
  const camera = silentFor(SILENT, { rememberedTracks: 2 });
  camera.state.signalsFrom = 4;
  camera.fold(other);
  camera.wait(SILENT);

  camera.fold(recorded(seen(2 * SILENT, OUTSIDE, { trackId: "third" })));

  expect(takeEndsOfForgotten(camera.state)).toEqual([]);
});

/** The next owner reads the state as the earlier one has stored it. */
function handOver(camera: Camera): void {
  const { tracks, ...others } = everything(camera.state);
  const stored = { ...others, tracks: new Map([...tracks, ...takeTouched(camera.state).tracks]) };
  const texts = Object.entries(stored).map(([kind, of]) => [kind, [...of.values()].filter((text) => text !== null)]);
  camera.state = restore(3, Object.fromEntries(texts));
}

/** A track whose expiry an earlier owner has written, and the same log as its next owner reads it. */
function writtenByEarlierOwner(overrides: Parameters<typeof createCamera>[0] = {}) {
  const camera = silentFor(settings.trackTtlMs + 1, overrides);
  camera.fold(recorded(seen(settings.trackTtlMs + 1, OUTSIDE, { trackId: "other" })));
  expect(camera.dueBehind(0)).toEqual(["t@0"]);
  handOver(camera);
  camera.wait(SILENT);
  camera.fold(recorded(seen(2 * SILENT, OUTSIDE, { trackId: "third" })));
  return camera;
}

const forgottenBy = ({ state }: Camera) => takeEndsOfForgotten(state).map(({ trackId }) => trackId);

test("an owner does not write the expiry of a forgotten track that an earlier owner has written", () => {
  expect(forgottenBy(writtenByEarlierOwner({ rememberedTracks: 1 }))).toEqual(["other"]);
});

test("an owner that has read the whole log writes an expiry of an earlier owner again when the log has lost it", () => {
  expect(writtenByEarlierOwner().due(0)).toEqual(["t@0", "other@15.001"]);
});

test("a track that was seen again after its expiry was written ends once more", () => {
  const camera = silentFor(settings.trackTtlMs + 1, { rememberedTracks: 1 });
  camera.fold(recorded(seen(settings.trackTtlMs + 1, OUTSIDE, { trackId: "other" })));
  camera.dueBehind(0);
  camera.fold(recorded(seen(settings.trackTtlMs + 2, INSIDE)));
  handOver(camera);
  camera.wait(SILENT);

  camera.fold(recorded(seen(2 * SILENT, OUTSIDE, { trackId: "third" })));

  expect(forgottenBy(camera)).toEqual(["other", "t"]);
});

test("once an expiry is read, its track is stored as a fresh fold of the log has it", () => {
  const fresh = silentFor(settings.trackTtlMs + 1);
  const owner = silentFor(settings.trackTtlMs + 1);
  for (const each of [fresh, owner]) {
    each.fold(other);
    if (each === owner) expect(each.dueBehind(0)).toEqual(["t@0"]);
    each.fold(expired(0));
  }

  expect(everything(owner.state)).toEqual(everything(fresh.state));
});

test("a track with a held detection is not silent before that was heard so long ago, which is folded first", () => {
  const camera = silentFor(0, { reorderMs: 1_000 });
  camera.fold(recorded(seen(2_000, INSIDE)));
  camera.wait(1_000);
  camera.fold(recorded(seen(2_500, INSIDE)));
  camera.wait(SILENT - 1_000);
  const elsewhere = { type: "DetectionsRecorded", event: { dataSourceId: "b", detections: [] } } as const;

  expect(camera.fold(elsewhere)).toEqual([]);
  camera.wait(1_000);

  expect(camera.fold(elsewhere)).toEqual(["UPDATE z 0-/2", "END z 0-2.5/2.5"]);
});

test("however many tracks a backlog has, those are live that were seen within a minute and a quarter", () => {
  const camera = createCamera({ rememberedTracks: 100 });
  camera.fold(drawn());
  let most = 0;
  let ends = 0;

  for (let i = 0; i < 20_000; i++) {
    camera.fold(recorded(seen(i * 60, INSIDE, { trackId: `track ${i}` })));
    most = Math.max(most, camera.state.live.size);
    ends += takeEndsOfForgotten(camera.state).length;
  }
  ends += camera.state.owing.size;

  expect(most).toBe(Math.ceil(SILENT / 60));
  expect(camera.state.tracks.size).toBeLessThanOrEqual(most + 100);
  expect(ends + camera.state.live.size).toBe(20_000);
});
