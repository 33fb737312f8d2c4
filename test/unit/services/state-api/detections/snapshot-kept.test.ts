// Whether a track is answered from what was kept, or the GraphQL server is asked.
import { expect, test } from "vitest";
import { type RawTrack, startTrackServer, withTracks } from "../../../../support/running/track-server.ts";
import { at, reader, START, snapshotApi, track } from "./snapshot-api.ts";

const HOUR_MS = 3_600_000;

async function begin(tracks: RawTrack[] = [track("t")]) {
  const server = await startTrackServer(withTracks(() => tracks));
  const api = snapshotApi({ ownUrl: server.url, lists: { ALLOWED_URL_CIDRS: "127.0.0.1" } });
  return { ...api, tracks, questions: () => server.asked.length };
}

test("an ended track is asked for once", async () => {
  const { snapshot, questions } = await begin();
  const first = await snapshot(["t"], 5);
  const asked = questions();

  expect(await snapshot(["t"], 5)).toEqual(first);
  expect((await snapshot(["t"], 5.5, reader(), { window_seconds: 1 })).body.snapshots.t.position.method).toBe("real");
  expect([asked, questions()]).toEqual([1, 1]);
});

test("several windows of a track are kept side by side, and what lies between them is asked for", async () => {
  const { snapshot, closest, questions } = await begin();
  await snapshot(["t"], 2);
  await snapshot(["t"], 8);
  await closest("t", 5.1);
  const asked = questions();

  const again = [await snapshot(["t"], 2), await snapshot(["t"], 8), await closest("t", 5.1), await closest("t", 2.2)];
  expect(questions()).toBe(asked);
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await snapshot(["t"], 5)).body.snapshots.t.detections_in_window).toBe(9);
  expect(questions()).toBe(asked + 1);
});

test("the closest frame beyond the end is known without asking again", async () => {
  const { closest, questions } = await begin();

  expect([(await closest("t", 60)).body.timestamp, (await closest("t", 90)).body.timestamp]).toEqual([at(10), at(10)]);
  expect(questions()).toBe(1);
});

test.each<[string, Partial<RawTrack>]>([
  ["that has not ended", { endTime: null }],
  ["whose end was set in advance", { endTime: "2030-01-01T00:00:00.000Z" }],
  ["without a detection in the window", { detections: [] }],
])("a track %s is asked for each time", async (_, overrides) => {
  const { snapshot, questions, memory } = await begin([track("t", overrides)]);
  await snapshot(["t"], 5);
  await snapshot(["t"], 5);

  expect([questions(), memory.size]).toEqual([2, 0]);
});

test("a track that is live again is asked for", async () => {
  const { snapshot, live, tracks, questions } = await begin();
  await snapshot(["t"], 9);

  live.set("t", { dataSourceId: "camera", isLive: true, lastSeen: START + 10_500, mark: "another" });
  tracks[0] = track("t", {
    detections: [...track("t").detections, { ...track("t").detections[0], timestamp: at(10.5) } as never],
  });

  expect((await snapshot(["t"], 9)).body.snapshots.t.detections_in_window).toBe(8);
  expect(questions()).toBe(2);
});

test("a track that went on and ended again is asked for once more", async () => {
  const { snapshot, live, questions } = await begin();
  live.set("t", { dataSourceId: "camera", isLive: false, lastSeen: START + 10_000, mark: "first" });
  await snapshot(["t"], 9);
  await snapshot(["t"], 9);
  expect(questions()).toBe(1);

  live.set("t", { dataSourceId: "camera", isLive: false, lastSeen: START + 15_000, mark: "second" });
  await snapshot(["t"], 9);
  await snapshot(["t"], 9);

  expect(questions()).toBe(2);
});

test("a track whose newest detection the history does not have yet is not kept", async () => {
  const { snapshot, live, memory } = await begin();
  live.set("t", { dataSourceId: "camera", isLive: false, lastSeen: START + 10_250, mark: "ahead" });
  await snapshot(["t"], 9);
  expect(memory.size).toBe(0);

  await snapshot(["t"], 5);

  expect(memory.size).toBe(1);
});

test("a track that was recorded a moment ago is kept only for when the server is away", async () => {
  const answering = { isAway: false };
  const tracks = withTracks(() => [track("t")]);
  const server = await startTrackServer((asked, response) =>
    answering.isAway ? { errors: [{ message: "away" }] } : tracks(asked, response),
  );
  const { snapshot, closest, live, world } = snapshotApi({ ownUrl: server.url });
  world.now = START + 11_000;
  const first = [await snapshot(["t"], 9), await snapshot(["t"], 9), await closest("t", 12)];
  expect(server.asked).toHaveLength(3);

  live.set("t", { dataSourceId: "camera", isLive: false, lastSeen: START + 10_000, mark: "folded since" });
  answering.isAway = true;

  expect([await snapshot(["t"], 9), await snapshot(["t"], 9), await closest("t", 12)]).toEqual(first);
  expect((await snapshot(["t", "u"], 9)).status).toBe(502);
  live.set("t", { dataSourceId: "camera", isLive: true, lastSeen: START + 10_500, mark: "goes on" });
  expect((await snapshot(["t"], 9)).status).toBe(502);
});

test("once live state may have forgotten the track, a window beyond its end is asked for again", async () => {
  const { snapshot, world, questions } = await begin();
  await snapshot(["t"], 5);
  await snapshot(["t"], 9);
  world.now += HOUR_MS;

  await snapshot(["t"], 5);
  expect(questions()).toBe(2);
  await snapshot(["t"], 9);
  expect(questions()).toBe(3);
});

test("without Redis every track is asked for", async () => {
  const { snapshot, world, questions } = await begin();
  world.redisAway = true;

  const answers = [await snapshot(["t"], 5), await snapshot(["t"], 5)];

  expect(answers.map(({ body }) => body.snapshots.t.detections_in_window)).toEqual([9, 9]);
  expect(questions()).toBe(2);
});

test("what our own API gave is for every caller with the scope", async () => {
  const { snapshot, questions } = await begin();
  await snapshot(["t"], 5, reader("one"));

  expect((await snapshot(["t"], 5, reader("another"))).status).toBe(200);
  expect((await snapshot(["t"], 5, reader("writer"))).status).toBe(403);
  expect((await snapshot(["t"], 5, { ...reader(), "x-token-value": "wrong" })).status).toBe(401);
  expect(questions()).toBe(1);
});

test("what another server gave is for those who ask the same server with the same token", async () => {
  const { snapshot } = await begin([]);
  const others = await startTrackServer(withTracks(() => [track("t")]));
  const elsewhere = await startTrackServer(withTracks(() => []));
  const named = (url: string, id: string) => ({ ...reader(id), "x-graphql-url": url });
  const found = async (url: string, id: string) => (await snapshot(["t"], 5, named(url, id))).body.snapshots.t !== null;

  expect([await found(others.url, "one"), await found(others.url, "one")]).toEqual([true, true]);
  expect(others.asked).toHaveLength(1);
  expect([await found(others.url, "another"), await found(elsewhere.url, "one")]).toEqual([true, false]);
  expect(others.asked).toHaveLength(2);
  expect((await snapshot(["t"], 5, reader("one"))).body.snapshots.t).toBeNull();
});
