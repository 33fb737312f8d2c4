// 1 000 subscribers over graphql-transport-ws of ten kinds, each kind with its own selection and camera: ours from
// the log to the sockets, against mercurius' own subscriptions, which get the detections as objects.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { topicName } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { type PreparedSystem, prepareSystem } from "../../support/running/launch-system.ts";
import { startService, until } from "../../support/running/processes.ts";
import { createBenchPublisher, log } from "../camera-log.ts";
import { parameter } from "../config.ts";
import { type Comparison, compare } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import type { ClientsOptions, Counted } from "./clients.ts";
import { cameraOf, KINDS } from "./subscriptions.ts";

export interface BenchDetection {
  readonly id: string;
  readonly timestamp: string;
  readonly globalTrackId: string;
  readonly deviceId: string;
  readonly direction: number;
  readonly polygon: { readonly type: "Polygon"; readonly coordinates: number[][][] };
  readonly position: { readonly type: "Point"; readonly coordinates: number[] };
  readonly metadata: object;
  readonly createdAt: string;
}

const ROUNDS = 5;
const TRACKS = 100;

type Send = (first: number, count: number) => Promise<unknown>;

export async function benchFanOut(stack: BenchStack): Promise<Comparison[]> {
  const subscribers = parameter("BENCH_FAN_OUT_SUBSCRIBERS", 1_000);
  const detections = parameter("BENCH_FAN_OUT_DETECTIONS", 2_000);
  const system = await prepareSystem(stack.env, `bench_fan_out_${Date.now()}`);
  const api = await startService("api", system.env);
  const [bare, barePort] = await startHelper<number>("./fan-out/bare-mercurius.ts", []);
  const recorder = await createLogSender(system);
  const helpers: ChildProcess[] = [bare];
  try {
    const init = { "x-token-id": system.token.id, "x-token-value": system.token.value };
    const ports = { ours: Number(new URL(system.url).port), baseline: barePort };
    const side = async (port: number, send: Send) => {
      const clients = await startClients({ port, count: subscribers, init });
      helpers.push(clients);
      return createSide(clients, send, subscribers, detections);
    };
    const baseline = await side(ports.baseline, async (first, count) => bare.send(objects(first, count)));
    const ours = await side(ports.ours, recorder.send);
    const name = `fan-out, ${subscribers} subscribers`;
    return [await compare({ name, unit: "deliveries/s", goal: ">= 3", rounds: ROUNDS, ours, baseline })];
  } finally {
    for (const helper of helpers) helper.disconnect();
    await recorder.stop();
    await api.stop();
  }
}

async function startClients(options: ClientsOptions): Promise<ChildProcess> {
  const [child] = await startHelper<"ready">("./fan-out/clients.ts", []);
  const counted = await ask(child, options);
  if (counted.failure !== undefined) throw new Error(counted.failure);
  return child;
}

async function ask(child: ChildProcess, question: ClientsOptions | "count"): Promise<Counted> {
  child.send(question);
  const [counted] = (await once(child, "message")) as [Counted];
  return counted;
}

let made = 0;

/** Resolves with deliveries per second of one round: from the first detection sent to the last message received. */
async function createSide(clients: ChildProcess, send: Send, subscribers: number, detections: number) {
  // A detection of every camera, again and again, until every subscriber has one.
  await until(
    async () => {
      await send(made, KINDS);
      made += KINDS;
      const { failure, reached } = await ask(clients, "count");
      if (failure !== undefined) throw new Error(failure);
      return reached === subscribers;
    },
    { pauseMs: 250 },
  );
  await settled(clients);
  return async () => {
    const before = await ask(clients, "count");
    const startedAt = performance.timeOrigin + performance.now();
    await send(made, detections);
    made += detections;
    const wanted = before.messages + (detections / KINDS) * subscribers;
    const after = await until(async () => {
      const counted = await ask(clients, "count");
      if (counted.failure !== undefined) throw new Error(counted.failure);
      return counted.messages >= wanted && counted;
    });
    if (after === false) throw new Error("the messages did not come");
    return (after.messages - before.messages) / ((after.lastAt - startedAt) / 1_000);
  };
}

/** Waits until no message has arrived for a while. */
async function settled(clients: ChildProcess): Promise<void> {
  let last = -1;
  await until(
    async () => {
      const { messages } = await ask(clients, "count");
      const same = messages === last;
      last = messages;
      return same;
    },
    { pauseMs: 500 },
  );
}

const START = Date.UTC(2026, 0, 1);

/** Number n belongs to camera n % 10. */
function detection(n: number) {
  const camera = cameraOf(n % KINDS);
  const trackId = derivedId("bench-track", String(n % TRACKS));
  const [x, y] = [(n * 7) % 1_800, (n * 3) % 900];
  const ring = [x, y, x + 42.5, y, x + 42.5, y + 118.25, x, y + 118.25, x, y];
  return { camera, trackId, ring, timestamp: START + n * 10, position: [4 + x / 1e6, 52 + y / 1e6] as const };
}

function objects(first: number, count: number): BenchDetection[] {
  return Array.from({ length: count }, (_, i) => {
    const { camera, trackId, ring, timestamp, position } = detection(first + i);
    const points = Array.from({ length: 5 }, (_, p) => ring.slice(2 * p, 2 * p + 2));
    return {
      id: derivedId(trackId, String(timestamp)),
      timestamp: new Date(timestamp).toISOString(),
      globalTrackId: trackId,
      deviceId: camera,
      direction: 90,
      polygon: { type: "Polygon", coordinates: [points] },
      position: { type: "Point", coordinates: [...position] },
      metadata: { confidence: 0.87 },
      createdAt: new Date(timestamp).toISOString(),
    };
  });
}

/** An event per detection into the camera-log. */
async function createLogSender({ env, namespace }: PreparedSystem) {
  const topic = topicName(namespace, "camera-log");
  const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
  const codec = await createCodec(loadConfig(registryEnv, env));
  const publisher = createBenchPublisher(kafka, topic);
  await publisher.start();

  function message(n: number) {
    const { camera, trackId, ring, timestamp, position } = detection(n);
    const [longitude, latitude] = position;
    const recorded = {
      trackId,
      timestamp,
      polygon: { rings: [ring], crs: null },
      position: { longitude, latitude, altitude: null, crs: null },
      direction: 90,
      metadata: '{"confidence":0.87}',
    };
    const type = "DetectionsRecorded";
    return {
      topic,
      key: camera,
      value: codec.encode(type, { dataSourceId: camera, detections: [recorded] }),
      headers: headersOf({ id: derivedId(type, String(n)), type, source: "tracklog/bench", timeMs: Date.now() }),
    };
  }

  const send: Send = (first, count) => publisher.publish(Array.from({ length: count }, (_, i) => message(first + i)));
  return { send, stop: () => publisher.stop() };
}
