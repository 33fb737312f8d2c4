// Snapshots and closest frames of tracks that went through the API, the log and the history.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isoTime } from "../../../schemas/identity.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { openInspector } from "../../support/clients/final-state-inspector.ts";
import type { System } from "../../support/running/launch-system.ts";
import { launchSystem } from "../../support/running/launch-system.ts";
import { settled } from "../../support/running/settled.ts";
import { useStack } from "../../support/running/stack.ts";
import { UNHURRIED } from "../../support/running/system.ts";
import { detection } from "../../support/scenes/detection.ts";
import { produce } from "../../support/scenes/produce.ts";
import { square } from "../../support/scenes/zone.ts";
import { type Ask, askAt } from "./services.ts";

const START = Date.UTC(2026, 0, 1, 12);
const EDGE = 10;

let system: System;
let stop: () => Promise<void>;
let ask: Ask;
let dataSourceId: string;
let gateId: string;
const many = Array.from({ length: 40 }, (_, i) => `many-${i}`);

beforeAll(async () => {
  const stack = useStack();
  const launched = await launchSystem(stack.env, stack.uniqueName("snap"), { ...UNHURRIED, CAMERA_PARTITIONS: "3" });
  ({ system, stop } = launched);
  const port = await freePort();
  await system.start("state-api", {
    STATE_API_HOST: "127.0.0.1",
    STATE_API_PORT: String(port),
    STATE_API_GRAPHQL_URL: system.url,
    SECRETS_KEY: randomBytes(32).toString("base64"),
  });
  const { id, value } = system.token;
  ask = askAt(`http://127.0.0.1:${port}`, { "x-token-id": id, "x-token-value": value });
  const { createDataSource } = await system.client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "Gate", type: VIDEO_DEVICE }) { id } }`,
  );
  dataSourceId = createDataSource.id;
  gateId = await createZone(300);
  await createTracks(
    { id: "walker", seconds: 20, endSecond: 20 },
    { id: "kept", seconds: 20, endSecond: 20 },
    { id: "live", seconds: 5 },
    ...["short", "framed", "back", ...many].map((id) => ({ id, seconds: 5, endSecond: 5 })),
  );
});
afterAll(() => stop());

const at = (second: number): string => isoTime(START + second * 1000);

/** Moves right by 100 px/s and north by a thousandth of a degree per second. */
const seen = (second: number) => ({
  timestamp: at(second),
  polygon: { coordinates: [square(EDGE, 100 * second, 0)] },
  position: { coordinates: [8, 48 + second / 1000] },
});

const steps = (from: number, to: number, step = 0.5) =>
  Array.from({ length: (to - from) / step + 1 }, (_, i) => seen(from + i * step));

interface NewTrack {
  readonly id: string;
  readonly seconds: number;
  readonly endSecond?: number;
}

/** One step in half a second. Resolves when history and live state have all of the tracks. */
async function createTracks(...tracks: readonly NewTrack[]): Promise<void> {
  const inputs = tracks.map(({ id, seconds, endSecond }) => ({
    ...{ id, dataSourceId, tag: "person", startTime: at(0), detections: steps(0, seconds) },
    ...(endSecond === undefined ? {} : { endTime: at(endSecond) }),
  }));
  const declared = inputs.map((_, i) => `$t${i}: CreateTrackInput!`);
  const fields = inputs.map((_, i) => `t${i}: createTrack(track: $t${i}) { id }`);
  const variables = Object.fromEntries(inputs.map((input, i) => [`t${i}`, input]));
  const { extensions } = await system.client.send(`mutation (${declared}) { ${fields.join(" ")} }`, variables);
  const query =
    "query ($id: ID!) { tracks(filter: { id: { eq: $id } }) { edges { node { zoneIntersections { id } } } } }";
  await system.client.ask(query, { id: "any" }, { "x-min-position": extensions?.position ?? "" });
  for (const { id, seconds } of tracks) {
    await settled(async () => (await ask("GET", `/api/tracks/${id}`)).body.detection_count === 2 * seconds + 1);
  }
}

async function addDetection(trackId: string, second: number): Promise<void> {
  const mutation = "mutation ($d: CreateDetectionInput!) { createDetection(detection: $d) { id } }";
  await system.client.ask(mutation, { d: { trackId, ...seen(second) } });
}

async function createZone(x: number, edge = 100): Promise<string> {
  const { createZone: made } = await system.client.ask<{ createZone: { id: string } }>(
    "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }",
    { zone: { dataSourceId, name: "Gate", polygon: { coordinates: [square(edge, x, 0)] } } },
  );
  return made.id;
}

async function snapshot(trackId: string, second: number, more: object = {}) {
  const body = { tracks: [{ track_id: trackId, timestamp: at(second) }], window_seconds: 2, ...more };
  const answer = await ask("POST", "/api/tracks/snapshot", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.snapshots[trackId];
}

const closest = (trackId: string, second: number) =>
  ask("GET", `/api/tracks/closest-frame?track_id=${trackId}&timestamp=${at(second)}`);

test("where a track was, how it moved and in which zone, between two detections", async () => {
  const found = await snapshot("walker", 3.75);

  expect(found).toMatchObject({
    track_id: "walker",
    tag: "person",
    timestamp: at(3.75),
    window_seconds: 2,
    detections_in_window: 8,
    position: {
      method: "linear",
      offset_ms: 250,
      pix: { x: 380, y: 5 },
      geo: { lon: 8, lat: expect.closeTo(48.00375, 8) },
      polygon: [
        [375, 0],
        [385, 0],
        [385, 10],
        [375, 10],
      ],
    },
    motion: {
      pix: {
        avg_velocity: expect.closeTo(100, 6),
        max_velocity: expect.closeTo(100, 6),
        direction: 90,
        sample_count: 7,
      },
      geo: { avg_velocity: expect.closeTo(111.195, 2), direction: expect.closeTo(0, 6), sample_count: 7 },
    },
    zones: {
      active_at_timestamp: {
        [gateId]: { zone_id: gateId, zone_name: "Gate", intersection_percent: 100, dwell_at_timestamp: 0.75 },
      },
    },
  });
  expect(Math.abs(Date.parse(found.zones_as_of) - Date.now())).toBeLessThan(600_000);
});

test("the methods, and null for what cannot be resolved", async () => {
  const methods = await Promise.all([2, 2.1, 6, -1].map(async (second) => (await snapshot("short", second)).position));

  expect(methods.map(({ method, offset_ms }) => [method, offset_ms])).toEqual([
    ["real", 0],
    ["linear", 100],
    ["forward_extrapolation", 1_000],
    ["backward_extrapolation", 1_000],
  ]);
  expect(await snapshot("short", 90)).toBeNull();
  expect(await snapshot("nobody", 1)).toBeNull();
});

test("many tracks at different moments in one request", async () => {
  const tracks = many.map((track_id, i) => ({ track_id, timestamp: at(i / 10) }));

  const { body } = await ask("POST", "/api/tracks/snapshot", { tracks });

  const found = many.map((id) => body.snapshots[id].position.pix.x);
  expect(found).toEqual(many.map((_, i) => expect.closeTo(10 * i + 5, 6)));
});

test("of an id that two data sources use the track seen last is shown, and no other asked id is lost", async () => {
  await createTracks({ id: "a-twin", seconds: 5, endSecond: 5 });
  const inspector = await openInspector(system);
  onTestFinished(() => inspector.close());
  const { createDataSource } = await system.client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "Other gate", type: VIDEO_DEVICE }) { id } }`,
  );
  const other = createDataSource.id;
  const detections = [6, 7].map((second) => detection({ trackId: "a-twin", timestamp: START + second * 1_000 }));
  const header = { trackId: "a-twin", dataSourceId: other, tag: "truck", startTime: START, endTime: START + 8_000 };
  const rest = { modelId: null, properties: null, metadata: null, detections };
  await produce(inspector, [{ key: other, type: "TrackCreated", event: { ...header, ...rest } }]);
  await settled(async () => (await ask("GET", "/api/tracks/a-twin")).body.datasource_id === other);
  await inspector.settled();

  const tracks = ["a-twin", "walker"].map((track_id) => ({ track_id, timestamp: at(6) }));
  const { body } = await ask("POST", "/api/tracks/snapshot", { tracks, window_seconds: 2 });

  const found = Object.values<{ tag: string; detections_in_window: number }>(body.snapshots);
  expect(found.map(({ tag, detections_in_window }) => [tag, detections_in_window])).toEqual([
    ["truck", 2],
    ["person", 9],
  ]);
  expect((await closest("a-twin", 2)).body.timestamp).toBe(at(6));
});

test("the closest frame, of two the earlier one", async () => {
  const frames = await Promise.all([2.25, 3.1, 60, -60].map(async (second) => (await closest("framed", second)).body));

  expect(frames[0]).toEqual({
    track_id: "framed",
    timestamp: at(2),
    offset_ms: 250,
    position: { pix: { x: 205, y: 5 }, geo: { lon: 8, lat: 48.002 } },
    polygon: [
      [200, 0],
      [210, 0],
      [210, 10],
      [200, 10],
    ],
  });
  expect(frames.map(({ timestamp }) => timestamp)).toEqual([at(2), at(3), at(5), at(0)]);
  expect(await closest("nobody", 1)).toMatchObject({ status: 404, body: { type: "urn:tracklog:problem:not-found" } });
});

test("a live track shows its newest detections each time", async () => {
  expect((await snapshot("live", 6)).position.method).toBe("forward_extrapolation");

  await addDetection("live", 6);

  await settled(async () => (await snapshot("live", 6)).position.method === "real");
  expect((await closest("live", 6)).body.offset_ms).toBe(0);
});

test("an ended track that goes on shows its newest detections, although it was kept", async () => {
  expect((await snapshot("back", 6)).position.offset_ms).toBe(1_000);
  expect((await closest("back", 7)).body.offset_ms).toBe(2_000);

  await addDetection("back", 6);

  await settled(async () => (await snapshot("back", 6)).position.method === "real");
  expect((await closest("back", 7)).body.offset_ms).toBe(1_000);
});

test("a zone that moved meanwhile is where it was when the detections were recorded", async () => {
  const zoneId = await createZone(1_000);
  await createTracks({ id: "before", seconds: 15, endSecond: 15 });
  const where = async (id: string, second: number) =>
    Object.keys((await snapshot(id, second)).zones.active_at_timestamp);
  expect(await where("before", 10.5)).toEqual([zoneId]);

  const zone = { id: zoneId, polygon: { coordinates: [square(100, 500, 0)] } };
  await system.client.ask("mutation ($zone: UpdateZoneInput!) { updateZone(zone: $zone) { id } }", { zone });
  await createTracks({ id: "after", seconds: 15, endSecond: 15 });

  await settled(async () => (await where("after", 5.5)).length === 1);
  expect([await where("before", 10.5), await where("before", 5.5)]).toEqual([[zoneId], []]);
  expect([await where("after", 10.5), await where("after", 5.5)]).toEqual([[], [zoneId]]);
});

describe("when the API is away", () => {
  beforeAll(async () => {
    await snapshot("kept", 10);
    await closest("kept", 15.1);
    await system.services.api.stop();
  });

  test("a track that was asked for is answered as before", async () => {
    expect(await snapshot("kept", 10)).toMatchObject({ position: { method: "real", pix: { x: 1_005, y: 5 } } });
    expect(await snapshot("kept", 10.4, { window_seconds: 0.5 })).toMatchObject({ detections_in_window: 2 });
    expect((await closest("kept", 15.1)).body).toMatchObject({ timestamp: at(15), offset_ms: 100 });
  });

  test("whatever needs the API is refused", async () => {
    const tracks = ["kept", "unknown"].map((track_id) => ({ track_id, timestamp: at(10) }));
    const refused = await ask("POST", "/api/tracks/snapshot", { tracks, window_seconds: 2 });

    expect([refused.status, refused.body.type]).toEqual([502, "urn:tracklog:problem:upstream"]);
    expect((await closest("unknown", 1)).status).toBe(502);
  });
});

test.each([
  ["no track", { tracks: [] }],
  ["too many", { tracks: Array.from({ length: 101 }, (_, i) => ({ track_id: `t${i}`, timestamp: at(0) })) }],
  ["the same one twice", { tracks: [1, 2].map((second) => ({ track_id: "t", timestamp: at(second) })) }],
  ["no time", { tracks: [{ track_id: "t" }] }],
  ["a day that is none", { tracks: [{ track_id: "t", timestamp: "2026-02-30T00:00:00Z" }] }],
  ["a window that is too wide", { tracks: [{ track_id: "t", timestamp: at(0) }], window_seconds: 601 }],
  ["a negative window", { tracks: [{ track_id: "t", timestamp: at(0) }], window_seconds: -1 }],
])("%s is refused", async (_, body) => {
  const { status, body: problem } = await ask("POST", "/api/tracks/snapshot", body);

  expect([status, problem.errors.length > 0]).toEqual([400, true]);
});
