// The whole path on one machine: cameras send frames in a closed loop through the API, and a detection counts when it
// is acknowledged and the history has it. The baseline is bare mercurius, which gets the same requests and does nothing
// with them. A second figure has no API: a producer writes the events itself, and the baseline reads and decodes them.
import { topicName } from "../../../schemas/topics.ts";
import { parsePositions } from "../../../services/api/read/position.ts";
import { openInspector } from "../../support/clients/final-state-inspector.ts";
import { launchSystem, type System } from "../../support/running/launch-system.ts";
import { runLoad } from "../../support/running/load-process.ts";
import { processorSeconds } from "../../support/running/processor-time.ts";
import { type Camera, createCameras } from "../camera-load.ts";
import { DETECTIONS_PER_EVENT, fillCameraLog, NO_EXPIRIES } from "../camera-log.ts";
import { parameter } from "../config.ts";
import { decodeAll, recordLog } from "../decode-log.ts";
import { observeHistory } from "../latency/observe.ts";
import { type Comparison, compare } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import type { FrameLoad, FrameLoadResult } from "./frame-load.ts";

const CAMERAS = 20;
const BOXES = 50;
const WARM_UP_S = 10;

export const benchPath = async (stack: BenchStack): Promise<Comparison[]> => [
  await benchThroughApi(stack),
  await benchWithoutApi(stack),
];

async function benchThroughApi(stack: BenchStack): Promise<Comparison> {
  const seconds = parameter("BENCH_PATH_SECONDS", 60);
  const { system, stop } = await launchSystem(stack.env, `bench_path_${Date.now()}`);
  const [bare, barePort] = await startHelper<number>("./ingest/bare-mercurius.ts", []);
  try {
    await system.start("webhooks");
    const cameras = await createCameras(system.client, CAMERAS, BOXES);
    await Promise.all(cameras.map((camera) => createZones(system, camera)));
    const load = (port: number, round: number): Omit<FrameLoad, "headers"> => ({
      port,
      cameras: cameras.map(({ trackIds }) => trackIds),
      seconds: round === 0 ? WARM_UP_S : seconds,
    });
    return await compare({
      name: "path",
      unit: "detections/s",
      goal: ">= 0.65",
      rounds: parameter("BENCH_PATH_ROUNDS", 2),
      ours: async (round) => untilQueryable(system, stack, load(Number(new URL(system.url).port), round)),
      baseline: async (round) => {
        const { frames, seconds: lasted } = await send(load(barePort, round), {});
        return (frames * BOXES) / lasted;
      },
    });
  } finally {
    bare.disconnect();
    await stop();
  }
}

/** A grid of 5 x 4 zones over the image. */
async function createZones({ client }: System, { dataSourceId }: Camera): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const [x, y] = [(n % 5) * 384 + 100, Math.floor(n / 5) * 270 + 80];
    const ring = [[x, y + 50], [x + 40, y], [x + 120, y], [x + 160, y + 50], [x + 120, y + 100], [x + 40, y + 100], [x, y + 50]]; // biome-ignore format: one ring
    const zone = { dataSourceId, name: `zone ${n}`, polygon: { type: "Polygon", coordinates: [ring] } };
    await client.ask("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", { zone });
  }
}

async function send(load: Omit<FrameLoad, "headers">, headers: FrameLoad["headers"]): Promise<FrameLoadResult> {
  const result = await runLoad<FrameLoadResult>(new URL("./frame-load.ts", import.meta.url), { ...load, headers });
  if (result.failure !== undefined) throw new Error(`the load met an error: ${result.failure}`);
  return result;
}

/** Resolves with the detections per second from the first request until the history has the last of them. */
async function untilQueryable(system: System, stack: BenchStack, load: Omit<FrameLoad, "headers">): Promise<number> {
  const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const before = await processorTimes(system, stack);
  const { frames, seconds, lastAnswers } = await send(load, headers);
  const acknowledgedAt = performance.now();
  const history = observeHistory(system, () => undefined);
  for (const answer of lastAnswers) {
    const position = /"position":"([^"]*)"/.exec(answer)?.[1];
    if (position === undefined) throw new Error(`an answer without a position: ${answer}`);
    for (const where of parsePositions(position)) history.expect(where, acknowledgedAt);
  }
  await history.done();
  const lagS = (performance.now() - acknowledgedAt) / 1_000;
  const detections = frames * BOXES;
  report(before, await processorTimes(system, stack), { lasted: seconds + lagS, detections });
  process.stderr.write(`    all queryable ${lagS.toFixed(2)} s after the last answer\n`);
  return detections / (seconds + lagS);
}

async function benchWithoutApi(stack: BenchStack): Promise<Comparison> {
  const events = parameter("BENCH_PATH_EVENTS", 150_000);
  const detections = events * DETECTIONS_PER_EVENT;
  const namespace = `bench_produced_${Date.now()}`;
  const { env, topic, ends } = await recordLog(stack.env, namespace, events);
  return compare({
    name: "path without API",
    unit: "detections/s",
    goal: ">= 0.25",
    rounds: parameter("BENCH_PATH_ROUNDS", 2),
    ours: async (round) => detections / (await produceUntilQueryable(stack, `${namespace}_${round}`, events)),
    baseline: async (round) => detections / (await decodeAll(env, topic, `${namespace}.baseline.${round}`, ends)),
  });
}

/** Resolves with the seconds from the first event until live state and history have the last one. */
async function produceUntilQueryable(stack: BenchStack, namespace: string, events: number): Promise<number> {
  const { system, stop } = await launchSystem(stack.env, namespace, NO_EXPIRIES);
  try {
    const inspector = await openInspector(system);
    const before = await processorTimes(system, stack);
    const startedAt = performance.now();
    await fillCameraLog(system.env, topicName(namespace, "camera-log"), events);
    await inspector.caughtUp();
    const lasted = (performance.now() - startedAt) / 1_000;
    report(before, await processorTimes(system, stack), { lasted, detections: events * DETECTIONS_PER_EVENT });
    await inspector.close();
    return lasted;
  } finally {
    await stop();
  }
}

type Times = ReadonlyMap<string, number>;

/** The processor time of each process. Stores that this command has not started are left out. */
async function processorTimes({ started }: System, stack: BenchStack): Promise<Times> {
  const own = ["this command", process.pid] as const;
  const pids = [own, ...started.map(({ name, pid }) => [name, pid] as const), ...Object.entries(stack.pids())];
  return new Map(await Promise.all(pids.map(async ([name, pid]) => [name, await processorSeconds(pid)] as const)));
}

function report(before: Times, after: Times, { lasted, detections }: { lasted: number; detections: number }): void {
  for (const [name, seconds] of after) {
    const used = seconds - (before.get(name) ?? 0);
    const each = ((used / detections) * 1e6).toFixed(2);
    process.stderr.write(`    ${name}: ${((100 * used) / lasted).toFixed(0)} % of a core, ${each} us a detection\n`);
  }
}
