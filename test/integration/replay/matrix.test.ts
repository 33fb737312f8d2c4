// A stretch of the log, named in each way: the signals of its sessions are those that live subscriptions had of it.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CameraLogEvent, Detection } from "../../../schemas/events.ts";
import { partitionOfKey } from "../../../schemas/partition-of-key.ts";
import {
  compareMatrix,
  type LiveSignal,
  type MatrixKind,
  matrixIds,
  matrixKinds,
  readSignals,
} from "../../support/oracles/replay-matrix.ts";
import { startTally, type Tally } from "../../support/oracles/signal-tally.ts";
import { until } from "../../support/running/processes.ts";
import { created, drawn, recordedBy, seen, T0, updated } from "../../unit/projections/live/camera.ts";
import { createReplaySystem, type ReplaySystem } from "./installation.ts";

const FRAMES = 36;
const FRAME_MS = 500;
const TRACKS = 10;
/** Frames of a track; the next one begins after a third of them. */
const FRAMES_OF_TRACK = 9;
const workflow = { workflow_name: "gates", workflow_id: "w1" };
/** In partitions of their own. */
const cameras = ["gate", "yard"].map((name, partition) => {
  for (let n = 0; ; n++) if (partitionOfKey(`${name}${n}`, 2) === partition) return `${name}${n}`;
});

let system: ReplaySystem;
let signals: readonly LiveSignal[];
const live = new Map<MatrixKind, Tally>();

beforeAll(async () => {
  system = await createReplaySystem();
  await system.startReplay();
  const [x_token_id, x_token_value] = Object.values(system.token);
  for (const kind of Object.keys(matrixKinds) as MatrixKind[]) {
    const tally = await startTally();
    live.set(kind, tally);
    const body = { webhook_url: tally.url, credentials: { x_token_id, x_token_value }, ...workflow };
    const made = await system.ask("POST", `/api/subscriptions/${matrixIds[kind]}`, { ...body, ...matrixKinds[kind] });
    expect(made.status).toBe(201);
  }
  for (const camera of cameras) await system.record(drawn({ zoneId: `z-${camera}`, dataSourceId: camera }));
  await listened();
  for (let frame = 0; frame < FRAMES; frame++) {
    for (const camera of cameras) await system.record(...messagesOf(camera, frame));
  }
  await delivered();
});

afterAll(async () => {
  await Promise.all([...live.values()].map((tally) => tally.close()));
  await system.close();
});

/** A subscription that is new hears only of what is folded after the state machine knows it. */
async function listened(): Promise<void> {
  const ms = -600_000;
  for (const camera of cameras) {
    let n = 0;
    await until(async () => {
      const trackId = `early-${camera}-${n++}`;
      await system.record(
        recordedBy(camera, seen(ms + n, 150, { trackId })),
        updated({ trackId, dataSourceId: camera, endTime: T0 + ms + n }),
      );
      return [...live.values()].every(({ reported }) => reported.some((each) => each.dataSourceId === camera));
    });
  }
}

/** One track stays from the first frame to the last. The others pass through the zone one after the other. */
function messagesOf(camera: string, frame: number): CameraLogEvent[] {
  const at = frame * FRAME_MS;
  const before: CameraLogEvent[] = [];
  const after: CameraLogEvent[] = [];
  const detections: Detection[] = [seen(at, 150, { trackId: `stays-${camera}` })];
  for (let n = 0; n < TRACKS; n++) {
    const of = { trackId: `${n}-${camera}`, dataSourceId: camera };
    const age = frame - n * (FRAMES_OF_TRACK / 3);
    if (age < 0 || age >= FRAMES_OF_TRACK || isMissing(n, age)) continue;
    if (age === 0) before.push(created({ ...of, tag: n % 2 === 0 ? "car" : "person", startTime: T0 + at }));
    if (age === 3 && n % 4 === 1) before.push(updated({ ...of, tag: "truck" }));
    detections.push(seen(at + n, 60 + 20 * age, { trackId: of.trackId }));
    if (age === FRAMES_OF_TRACK - 1 && n % 3 === 0) after.push(updated({ ...of, endTime: T0 + at + 300 }));
  }
  return [...before, recordedBy(camera, ...detections), ...after];
}

/** Two tracks are away for longer than the time to live. */
const isMissing = (n: number, age: number): boolean => n % 5 === 2 && age > 2 && age < 8;

/** Resolves when all tracks have ended and the receivers have all signals. */
async function delivered(): Promise<void> {
  const { kafka, codec, namespace } = system.installation;
  await until(() => {
    const reported = live.get("track_state, streaming")?.reported ?? [];
    const ended = reported.filter(({ signal, trackId }) => signal === "track_expired" && trackId.startsWith("stays"));
    return ended.length === cameras.length;
  });
  await until(async () => {
    signals = await readSignals(kafka, codec, namespace);
    const told = [...live.values()].reduce((sum, { reported }) => sum + reported.length, 0);
    return told === signals.length;
  });
}

test("tracks, a range and offsets give the signals of then, of each type and in each mode", async () => {
  const reported = new Map([...live].map(([kind, tally]) => [kind, tally.reported]));

  const cells = await compareMatrix({ ask: system.ask, signals, live: reported, since: T0, workflow, name: "matrix" });

  console.table(cells);
  expect(cells).toHaveLength(12);
  for (const { kind, signals: count } of cells) if (!kind.includes("refused")) expect(count).toBeGreaterThan(0);
});

const place = (n: number) => ({ camera: cameras[n] ?? "", partition: n });
const at = (ms: number) => new Date(T0 + ms).toISOString();
const begin = (more: object) =>
  system.ask("POST", "/api/replay/bad", { ...more, mode: "auto", webhook_url: "http://127.0.0.1/", ...workflow });
const span = (from: number, to: number, partition = 0) => ({ offsets: [{ partition, from, to }] });
const refusalOf = (text: string) => expect.objectContaining({ detail: expect.stringContaining(text) });
async function highOf(partition: number): Promise<number> {
  const { admin, topic } = system.installation;
  const offsets = await admin.fetchTopicOffsets(topic("camera-log"));
  return Number(offsets.find((each) => each.partition === partition)?.high);
}

test("a selection of what is not there is refused with what there is", async () => {
  const high = await highOf(0);
  const present = `partition 0 has the offsets 0 to ${high} (exclusive)`;
  const range = (more: object) => ({ range: { data_source_ids: [place(0).camera], from: at(0), to: at(9), ...more } });
  const refusals = [
    [span(0, 1, 2), "the log has the partitions 0 to 1"],
    [span(5, 5), present],
    [span(7, 5), present],
    [span(0, high + 1), present],
    [span(2 ** 40, 2 ** 41), present],
    [range({ from: at(9), to: at(9) }), "detections are known between 2025-12-31T23:00:00.000Z and 2026-01-01T01:00"],
    [range({ from: at(9), to: at(0), data_source_ids: ["nobody"] }), "no detections of these data sources are known"],
    [{ range: { site_ids: ["nowhere"], from: at(0), to: at(9) } }, "no device at these sites"],
  ] as const;

  for (const [body, text] of refusals) {
    const answer = await begin(body);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: refusalOf(text) });
  }
});

const ring = [
  [0, 0],
  [9, 0],
  [9, 9],
  [0, 0],
];
const zoneOf = (properties: object, coordinates: unknown = [ring]) => ({
  type: "Feature",
  properties: { name: "door", ...properties },
  geometry: { type: "Polygon", coordinates },
});

test.each([
  ["of an unknown data source", [zoneOf({})], "data_source_id"],
  ["with one id", [zoneOf({ data_source_id: "cam" }), zoneOf({ data_source_id: "cam" })], "another zone has the id"],
  ["that is not closed", [zoneOf({ data_source_id: "cam" }, [ring.slice(0, 3)])], "coordinates"],
  [
    "without an area",
    [
      zoneOf({ data_source_id: "cam" }, [
        [
          [0, 0],
          [9, 9],
          [9, 9],
          [0, 0],
        ],
      ]),
    ],
    "coordinates",
  ],
  [
    "that crosses itself",
    [
      zoneOf({ data_source_id: "cam" }, [
        [
          [0, 0],
          [9, 9],
          [9, 3],
          [0, 9],
          [0, 0],
        ],
      ]),
    ],
    "cross",
  ],
])("zones %s: 400", async (_what, features, text) => {
  const answer = await begin({ track_ids: ["a"], zones: { type: "FeatureCollection", features } });

  expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: refusalOf(text) });
});

test("a range in which nothing was recorded ends with the times there are, one of all time with all signals", async () => {
  const tally = await startTally();
  const common = { mode: "auto", speed: "max", webhook_url: tally.url, ...workflow, signal_type: "track_state" };
  const range = (from: number, to: number) => ({ data_source_ids: cameras, from: at(from), to: at(to) });
  await system.ask("POST", "/api/replay/night", { ...common, range: range(1e9, 2e9) });
  await system.ask("POST", "/api/replay/ever", { ...common, range: range(-1e12, 1e12), zones: "now", settings: {} });

  expect(await system.ended("night")).toMatchObject({
    state: "failed",
    reason: expect.stringContaining("there are some between 2025-12-31T23:00:00.000Z and 2026-01-01T01:00:00.000Z"),
  });
  const ever = await system.ended("ever");
  expect(ever).toMatchObject({ state: "finished", track_ids: [], offsets: null, zones: "now", settings: {} });
  expect(ever["range"]).toMatchObject({ data_source_ids: cameras, site_ids: null });
  expect(tally.reported).toHaveLength(live.get("track_state, streaming")?.reported.length ?? 0);
  await tally.close();
});

const offsetsOf = async (n: number, from: number, to: number) => {
  const query = new URLSearchParams({ data_source_id: place(n).camera, from: at(from), to: at(to) });
  return (await system.ask("GET", `/api/replay/offsets?${query}`)).body;
};

test("an event time is translated to offsets, and what the log has lost is replayed from the history", async () => {
  const high = await highOf(1);
  const known = await offsetsOf(1, 0, FRAMES * FRAME_MS);
  expect(known).toMatchObject({ partition: 1, log: "topic", log_from: 0, log_to: high });
  expect(known.from).toBeGreaterThan(0);
  expect(known.to).toBeLessThanOrEqual(high);
  expect(await offsetsOf(1, 1e9, 2e9)).toMatchObject({ from: null, to: null, log: "none", log_to: high });
  const { admin, topic } = system.installation;
  const partitions = [{ partition: 1, offset: String(known.to) }];
  await admin.deleteTopicRecords({ topic: topic("camera-log"), partitions });

  expect(await offsetsOf(1, 0, FRAMES * FRAME_MS)).toMatchObject({
    from: known.from,
    log: "history",
    log_from: known.to,
  });
  expect((await begin(span(0, 1, 1))).body).toEqual(refusalOf(`partition 1 has the offsets ${known.to} to ${high}`));
  const tally = await startTally();
  const asked = { ...span(known.from, known.to, 1), mode: "auto", speed: "max", webhook_url: tally.url, ...workflow };
  await system.ask("POST", "/api/replay/lost", asked);
  expect(await system.ended("lost")).toMatchObject({ state: "finished", log: "history", offsets: asked.offsets });
  expect(tally.reported.filter(({ signal }) => signal === "track_created").length).toBeGreaterThanOrEqual(TRACKS);
  await tally.close();
});
