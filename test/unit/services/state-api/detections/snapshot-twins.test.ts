// Snapshots and closest frames of an id that several data sources have given: of the track seen last.
import { expect, test } from "vitest";
import { type RawTrack, startTrackServer, withTracks } from "../../../../support/running/track-server.ts";
import { START, snapshotApi, track } from "./snapshot-api.ts";

/** A track of the camera, with its first detections only; the tag is the name of the camera. */
const trackOf = (camera: string, id: string, detections: number): RawTrack => ({
  ...track(id, { tag: camera, dataSource: { id: camera } }),
  detections: track(id).detections.slice(0, detections),
});

async function begin(tracks: RawTrack[], pageSize?: number) {
  const server = await startTrackServer(withTracks(() => tracks, pageSize));
  return { ...snapshotApi({ ownUrl: server.url }), server };
}

const tagsOf = (snapshots: Readonly<Record<string, { readonly tag: string } | null>>) =>
  Object.fromEntries(Object.entries(snapshots).map(([id, found]) => [id, found?.tag ?? null]));

test("no asked id is lost to another one that several data sources use, and of that one the track seen last is shown", async () => {
  const cameras = ["a", "b", "c"];
  const twins = cameras.flatMap((camera, i) => ["t", "u"].map((id) => trackOf(camera, id, [15, 21, 18][i] ?? 0)));
  const { snapshot, server } = await begin([...twins, trackOf("a", "unseen", 0), trackOf("b", "z", 9)], 4);

  const { body } = await snapshot(["z", "u", "t", "unknown"], 3);

  expect(tagsOf(body.snapshots)).toEqual({ z: "b", u: "b", t: "b", unknown: null });
  expect(body.snapshots.t.detections_in_window).toBe(9);
  // The tracks, when they were seen (two pages), and the tracks that are meant.
  expect(server.asked).toHaveLength(4);
});

test("at the same instant the track of the smaller data source is shown, and a track without a detection last", async () => {
  const { snapshot } = await begin([trackOf("a", "t", 0), trackOf("c", "t", 21), trackOf("b", "t", 21)]);

  expect(tagsOf((await snapshot(["t"], 5)).body.snapshots)).toEqual({ t: "b" });
});

test("the closest frame is that of the track seen last", async () => {
  const { closest } = await begin([trackOf("a", "t", 15), trackOf("b", "t", 21), trackOf("c", "t", 21)]);

  expect((await closest("t", 9)).body.offset_ms).toBe(0);
});

test("what was kept of one track is neither shown for another one with its id nor joined with it", async () => {
  const tracks = [trackOf("a", "t", 15)];
  const { snapshot, live, memory } = await begin(tracks);
  await snapshot(["t"], 3);
  expect([...memory.values()].map(({ tag, spots }) => [tag, spots.length])).toEqual([["a", 9]]);

  tracks.push({ ...trackOf("b", "t", 21), detections: track("t").detections.slice(16) });
  // The state machine has seen it, and the history too.
  live.set("t", { dataSourceId: "b", isLive: false, lastSeen: START + 10_000, mark: "of b" });
  await snapshot(["t"], 9);

  expect([...memory.values()].map(({ tag, spots }) => [tag, spots.length])).toEqual([["b", 5]]);
});

test("while the history means another track by the id than live state, nothing is kept", async () => {
  const { snapshot, live, memory } = await begin([trackOf("a", "t", 21)]);
  live.set("t", { dataSourceId: "b", isLive: false, lastSeen: START + 60_000, mark: "of b" });

  expect(tagsOf((await snapshot(["t"], 5)).body.snapshots)).toEqual({ t: "a" });
  expect(memory.size).toBe(0);
});

test("a track whose data source was deleted is shown only when no other one has its id", async () => {
  const deleted = (id: string): RawTrack => ({ ...trackOf("deleted", id, 21), dataSource: null });
  const { snapshot } = await begin([deleted("t"), trackOf("a", "t", 15), trackOf("b", "u", 15), deleted("v")]);

  expect(tagsOf((await snapshot(["t", "u", "v"], 3)).body.snapshots)).toEqual({ t: "a", u: "b", v: "deleted" });
});

test("an id means the track seen last also to a server that gives one track a page", async () => {
  const answer = withTracks(() => [trackOf("a", "t", 15), trackOf("b", "t", 21)], 1);
  const extensions = { code: "BAD_USER_INPUT", path: ["first"] };
  const server = await startTrackServer((asked, response) =>
    asked.variables.first > 1 ? { errors: [{ message: "first is at most 1", extensions }] } : answer(asked, response),
  );

  const { body } = await snapshotApi({ ownUrl: server.url }).snapshot(["t"], 3);

  expect(tagsOf(body.snapshots)).toEqual({ t: "b" });
});
