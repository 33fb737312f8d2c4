// GraphQL servers that answer much, wrongly or not at all, and addresses that must not be asked.
import { expect, test } from "vitest";
import { withPagesOf } from "../../../../support/running/graphql-server.ts";
import { until } from "../../../../support/running/processes.ts";
import { startTrackServer, type TrackVariables, withTracks } from "../../../../support/running/track-server.ts";
import { square } from "../../../../support/scenes/zone.ts";
import { at, reader, START, snapshotApi, track } from "./snapshot-api.ts";

test("a hundred tracks take few questions, a bounded number of them at a time", async () => {
  const ids = Array.from({ length: 100 }, (_, i) => `t${i}`);
  const server = await startTrackServer(withTracks(() => ids.map((id) => track(id))));
  const { snapshot } = snapshotApi({ ownUrl: server.url });

  const { body } = await snapshot(ids, 5);

  expect(ids.map((id) => body.snapshots[id].detections_in_window)).toEqual(ids.map(() => 9));
  expect(server.asked.length).toBe(5);
  expect(server.atOnce()).toBeLessThanOrEqual(4);
});

test("only detections of the windows are asked for, a window once", async () => {
  const server = await startTrackServer(withTracks(() => [track("t"), track("u")]));
  const { snapshot } = snapshotApi({ ownUrl: server.url });
  const window = { time: { between: [at(3), at(7)] } };

  expect((await snapshot(["t", "u"], 5)).body.snapshots.u.detections_in_window).toBe(9);
  const other = { tracks: ["t", "u"].map((track_id, i) => ({ track_id, timestamp: at(5 + 4 * i) })) };
  const { t, u } = (await snapshot([], 0, reader(), other)).body.snapshots;

  expect([t.detections_in_window, u.detections_in_window]).toEqual([9, 7]);
  expect(server.asked.map(({ variables }) => variables.windows)).toEqual([
    window,
    { time: { between: [at(7), at(11)] } },
  ]);
});

test("different windows share a question", async () => {
  const server = await startTrackServer(withTracks(() => [track("t"), track("u")]));
  const { snapshot } = snapshotApi({ ownUrl: server.url });
  const tracks = ["t", "u"].map((track_id, i) => ({ track_id, timestamp: at(5 + 4 * i) }));

  const { t, u } = (await snapshot([], 0, reader(), { tracks })).body.snapshots;

  expect([t.detections_in_window, u.detections_in_window]).toEqual([9, 7]);
  const [first, second] = [{ time: { between: [at(3), at(7)] } }, { time: { between: [at(7), at(11)] } }];
  expect(server.asked.map(({ variables }) => variables.windows)).toEqual([
    { time: { between: [at(3), at(11)] }, or: [first, second] },
  ]);
});

test("a track with more detections than one question gives is asked for page by page", async () => {
  const detections = Array.from({ length: 2_500 }, (_, i) => ({
    ...{ timestamp: at(i / 1_000), createdAt: null, position: null },
    polygon: { coordinates: [square(10, i)] },
  }));
  const server = await startTrackServer(withTracks(() => [track("t", { detections }), track("u")]));
  const { snapshot } = snapshotApi({ ownUrl: server.url });

  const { t, u } = (await snapshot(["t", "u"], 1)).body.snapshots;

  expect([t.detections_in_window, u.detections_in_window]).toEqual([2_500, 7]);
  expect(server.asked.slice(1).map(({ variables }) => variables.after)).toEqual([null, "1000", "2000"]);
});

test("a server that gives small pages is asked for few tracks and detections at a time", async () => {
  const ids = Array.from({ length: 30 }, (_, i) => `t${i}`);
  const largest = ({ first, most = 0 }: TrackVariables) => Math.max(first, most);
  const answering = withTracks(() => ids.map((id) => track(id)), 7);
  const server = await startTrackServer(withPagesOf(7, largest, answering));
  const { snapshot } = snapshotApi({ ownUrl: server.url });

  const { body } = await snapshot(ids, 5);

  expect(ids.map((id) => body.snapshots[id].detections_in_window)).toEqual(ids.map(() => 9));
});

test("another server's zones and intersections count, as of the answer", async () => {
  const zones = [
    { id: "here", name: "Here", active: true, polygon: { coordinates: [square(100, 450)] } },
    { id: "asleep", name: "Asleep", active: false, polygon: { coordinates: [square(100, 450)] } },
    { id: "there", name: "There", active: true, polygon: { coordinates: [square(100, 900)] } },
  ];
  const stay = { zone: { id: "here" }, startTime: at(-50), endTime: null };
  const seen = track("t", { dataSource: { id: "camera", zones }, zoneIntersections: [stay] });
  const server = await startTrackServer(withTracks(() => [seen]));
  const { snapshot, world } = snapshotApi({ ownUrl: "", lists: { ALLOWED_URL_CIDRS: "127.0.0.1" } });

  const { body } = await snapshot(["t"], 5, { ...reader(), "x-graphql-url": server.url });

  expect(body.snapshots.t.zones.active_at_timestamp).toEqual({
    here: { zone_id: "here", zone_name: "Here", intersection_percent: 100, dwell_at_timestamp: 55 },
  });
  expect(Date.parse(body.snapshots.t.zones_as_of)).toBe(world.now);
  expect(server.asked[0]?.headers).toMatchObject(reader());
});

test("detections out of order and twice count once, in order", async () => {
  const { detections } = track("t");
  const server = await startTrackServer(
    withTracks(() => [track("t", { detections: [...detections, ...detections].reverse() })]),
  );
  const { snapshot } = snapshotApi({ ownUrl: server.url });

  const { motion, detections_in_window: count } = (await snapshot(["t"], 5)).body.snapshots.t;

  expect([count, motion.pix.sample_count, motion.pix.max_velocity, motion.pix.direction]).toEqual([9, 8, 100, 90]);
});

test("a server that answers about other tracks and times is not believed", async () => {
  const detections = track("t").detections.slice(0, 1);
  const edges = ["other", "t"].map((id) => ({ node: track(id, { detections }) }));
  const server = await startTrackServer(() => ({ data: { tracks: { edges } } }));
  const { snapshot } = snapshotApi({ ownUrl: server.url });

  expect((await snapshot(["t", "unknown"], 5)).body.snapshots).toEqual({ t: null, unknown: null });
});

test.each<[string, unknown]>([
  ["nothing of what was asked for", { data: {} }],
  ["a time that is none", { data: { tracks: { edges: [{ node: track("t", { endTime: "soon" }) }] } } }],
  ["a polygon of words", tracksAnswer([{ polygon: { coordinates: [["a", "b"]] } }])],
  ["a place that is not on Earth", tracksAnswer([{ position: { coordinates: [8, 91] } }])],
  ["an error", { errors: [{ message: "no" }] }],
  ["a list", []],
])("an answer with %s gives 502", async (_, answer) => {
  const server = await startTrackServer(() => answer);
  const { snapshot, closest } = snapshotApi({ ownUrl: server.url });

  const answers = [await snapshot(["t"], 5), await closest("t", 5)];

  for (const { status, body } of answers) expect([status, body.type]).toEqual([502, "urn:tracklog:problem:upstream"]);
});

/** To both questions at once. */
function tracksAnswer(detections: readonly object[]) {
  const seen = detections.map((each) => ({ timestamp: at(5), ...each }));
  return { data: { tracks: { edges: [{ node: { ...track("t"), before: seen, after: seen, detections: seen } }] } } };
}

test("pages without an end give 502, and too many detections a refusal that says so", async () => {
  const detections = (count: number) => Array.from({ length: count }, () => ({ timestamp: at(5) }));
  const tracks = { edges: [{ node: { ...track("t"), detections: detections(1_000) } }] };
  const page = (count: number, endCursor: string) => {
    const edges = detections(count).map((node) => ({ node }));
    return { data: { tracks, detections: { edges, pageInfo: { hasNextPage: true, endCursor } } } };
  };
  let pages = 0;
  const stuck = await startTrackServer(() => page(1, "again"));
  const flood = await startTrackServer(() => page(1_000, `${pages++}`));

  expect((await snapshotApi({ ownUrl: stuck.url }).snapshot(["t"], 5)).status).toBe(502);
  const { status, body } = await snapshotApi({ ownUrl: flood.url }).snapshot(["t"], 5);
  expect([status, body.detail]).toEqual([400, expect.stringContaining("50000 detections")]);
});

test("no further question follows when the caller is gone", async () => {
  const server = await startTrackServer(() => undefined);
  const api = snapshotApi({ ownUrl: server.url });
  await api.server.start();
  const leaving = new AbortController();
  const body = JSON.stringify({ tracks: [{ track_id: "t", timestamp: at(5) }] });
  const headers = { ...reader(), "content-type": "application/json" };
  const url = `${api.server.url()}/api/tracks/snapshot`;
  const sent = fetch(url, { method: "POST", headers, body, signal: leaving.signal });
  await until(() => server.open() === 1);

  leaving.abort();

  await expect(sent).rejects.toThrow();
  await until(() => server.open() === 0);
  expect(server.asked).toHaveLength(1);
});

test.each([
  "http://127.0.0.1:4000/graphql",
  "http://localhost:4000/graphql",
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:10.0.0.1]/graphql",
  "http://2130706433/",
  "http://user:secret@example.com/graphql",
  "https://example.com/graphql",
  "ftp://example.com/",
  "file:///etc/passwd",
  "/graphql",
])("%s is refused by default", async (url) => {
  const server = await startTrackServer(withTracks(() => [track("t")]));
  const { snapshot, closest } = snapshotApi({ ownUrl: server.url });
  const headers = { ...reader(), "x-graphql-url": url };

  for (const { status, body } of [await snapshot(["t"], 5, headers), await closest("t", 5, headers)]) {
    expect([status, body.errors[0].pointer]).toEqual([400, "#/headers/x-graphql-url"]);
  }
  expect(server.asked).toEqual([]);
});

test("our own address may be named", async () => {
  const server = await startTrackServer(withTracks(() => [track("t")]));
  const { snapshot, memory } = snapshotApi({ ownUrl: server.url });

  expect((await snapshot(["t"], 5, { ...reader(), "x-graphql-url": server.url })).status).toBe(200);
  expect([...memory.keys()]).toEqual(["own t"]);
});

test("without any server, only what needs one is refused", async () => {
  const { snapshot, memory } = snapshotApi({ ownUrl: "" });
  expect((await snapshot(["t"], 5)).status).toBe(503);
  const stretch = { from: START, to: START + 10_000, askedAt: START + 3_600_000 };
  const spots = [{ at: START + 5_000, box: null, place: { longitude: 8, latitude: 48 }, recordedAt: null }];
  const facts = { trackId: "t", tag: "person", dataSourceId: null, endTime: START + 10_000, stays: [], zones: null };
  memory.set("own t", { ...facts, askedAt: START, covered: [stretch], spots, mark: null, isSettled: true });

  const { status, body } = await snapshot(["t"], 5);

  expect([status, body.snapshots.t.position]).toEqual([
    200,
    { method: "real", offset_ms: 0, pix: null, geo: { lon: 8, lat: 48 }, polygon: null },
  ]);
});

test("the fixed paths are no ids of tracks", async () => {
  const { server } = snapshotApi({ ownUrl: "" });
  const send = async (method: "GET" | "POST", url: string) => {
    const { statusCode, headers } = await server.app.inject({ method, url, headers: reader() });
    return [statusCode, headers["allow"]];
  };

  expect(await send("GET", "/api/tracks/snapshot")).toEqual([405, "POST"]);
  expect(await send("POST", "/api/tracks/closest-frame")).toEqual([405, "GET, HEAD"]);
  expect((await send("GET", "/api/tracks/closest-frame?track_id=t"))[0]).toBe(400);
});
