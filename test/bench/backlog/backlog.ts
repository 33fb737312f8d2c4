// A state machine of 1 GB that finds a million tracks behind, as after a night, and works until each of them has its
// end in the log. The figure is the most that its heap held.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import kafkajs from "kafkajs";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { topicName } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { kafkaEnv, loadConfig, redisEnv, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { detection } from "../../support/scenes/detection.ts";
import { cameraId, log, zones } from "../camera-log.ts";
import { parameter } from "../config.ts";
import type { Comparison } from "../measure.ts";
import { startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";

const HEAP_MB = 1_024;
/** 1 000 tracks a minute. */
const EVERY_MS = 60;
const SIGHTINGS = 3;
const PER_CALL = 2_000;
const RING = [300, 200, 342.5, 200, 342.5, 318.25, 300, 318.25, 300, 200];
const POLL_MS = 1_000;

export async function benchBacklog(stack: BenchStack): Promise<Comparison[]> {
  const tracks = parameter("BENCH_BACKLOG_TRACKS", 1_000_000);
  const namespace = `bench_backlog_${Date.now()}`;
  const env = { ...stack.env, TRACKLOG_NAMESPACE: namespace, CAMERA_PARTITIONS: "1" };
  await provision(loadConfig(provisionEnv, env), log);
  const recorded = await fill(env, topicName(namespace, "camera-log"), tracks);
  process.stderr.write(`  ${tracks} tracks in ${recorded} messages\n`);
  const bounded = { ...env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  const startedAt = performance.now();
  const [machine] = await startHelper<string>("./backlog/machine.ts", [topicName(namespace, "camera-log")], bounded);
  const heaps: number[] = [];
  machine.on("message", (heapMb) => heaps.push(Number(heapMb)));
  await untilRead(env, machine, recorded + tracks);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  process.stderr.write(`  ${seconds} s; heap, MB: ${every(heaps, Math.ceil(heaps.length / 20)).join(" ")}\n`);
  machine.kill("SIGTERM");
  await once(machine, "exit");
  const most = heaps.reduce((greatest, heap) => Math.max(greatest, heap), 0);
  return [{ name: "heap behind", unit: "MB", ours: most, baseline: HEAP_MB, ratio: most / HEAP_MB, goal: "<= 0.7" }];
}

type Env = Readonly<Record<string, string>>;

const every = (values: readonly number[], step: number): number[] => values.filter((_, i) => i % step === 0);

/** Each track three times in a second; the times of the messages are the producer's. Resolves with their number. */
async function fill(env: Env, topic: string, tracks: number): Promise<number> {
  const kafka = createKafka("tracklog-bench", loadConfig(kafkaEnv, env), log);
  const codec = await createCodec(loadConfig(registryEnv, env));
  const admin = kafka.admin();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await Promise.all([admin.connect(), producer.connect()]);
  const configEntries = [{ name: "message.timestamp.type", value: "CreateTime" }];
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }];
  await admin.alterConfigs({ validateOnly: false, resources });
  const dataSourceId = cameraId(0);
  const ofCamera = zones().filter((zone) => zone.dataSourceId === dataSourceId);
  const began = Date.now() - tracks * EVERY_MS - 3_600_000;
  const drawn = ofCamera.map((zone) => ({ value: codec.encode("ZoneCreated", { zone }), timestamp: String(began) }));
  await producer.send({ topic, messages: drawn.map((each) => ({ key: dataSourceId, ...each })) });
  const polygon = { rings: [RING], crs: null };
  for (let first = 0; first < tracks; first += PER_CALL) {
    const messages = Array.from({ length: Math.min(PER_CALL, tracks - first) * SIGHTINGS }, (_, i) => {
      const track = first + Math.floor(i / SIGHTINGS);
      const timestamp = began + track * EVERY_MS + (i % SIGHTINGS) * 20;
      const trackId = `00000000-0000-4000-8000-${String(track).padStart(12, "0")}`;
      const detections = [detection({ trackId, timestamp, polygon })];
      const value = codec.encode("DetectionsRecorded", { dataSourceId, detections });
      return { key: dataSourceId, value, timestamp: String(timestamp) };
    });
    await producer.send({ topic, messages });
  }
  const [range] = await offsetRanges(admin, topic);
  await Promise.all([admin.disconnect(), producer.disconnect()]);
  return range?.high ?? 0;
}

/** Rejects when the machine ends before. */
async function untilRead(env: Env, machine: ChildProcess, end: number): Promise<void> {
  const redis = createRedis(loadConfig(redisEnv, env), log);
  await redis.start();
  try {
    const { position } = partitionKeys(env["TRACKLOG_NAMESPACE"] ?? "", 0);
    while (Number(await redis.client.hget(position, "next")) < end) {
      if (machine.exitCode !== null || machine.signalCode !== null) throw new Error("the state machine has ended");
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await redis.stop();
  }
}
