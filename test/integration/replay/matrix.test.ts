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
