// Three brokers with one copy of each partition: while one broker is away nobody leads its partitions, and everything
// goes on with the others.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ITopicConfig } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { partitionKeys } from "../../schemas/redis-keys.ts";
import { type NamedTopic, topicName, topicsOf } from "../../schemas/topics.ts";
import { loadConfig } from "../../services/common/config.ts";
import { createKafka } from "../../services/common/kafka/client.ts";
import { createPartitionOf } from "../../services/common/kafka/partition-of.ts";
import { createTopics } from "../../services/common/kafka/provision.ts";
import { createPublisher } from "../../services/common/kafka/publisher.ts";
import { run } from "../../services/common/lifecycle.ts";
import { createLog } from "../../services/common/log.ts";
import { createRedis } from "../../services/common/redis.ts";
import { createCodec } from "../../services/common/registry/codec.ts";
import { assemble } from "../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../services/state-machine/config.ts";
import { NODES, startKafkaCluster } from "../support/kafka-cluster.ts";
import { until } from "../support/processes.ts";
import { useStack } from "../support/stack.ts";
import { created, T0 } from "../unit/live/camera.ts";

const log = createLog("test", process.env["LOG_LEVEL"] ?? "silent");
const LATER = { timeoutMs: 60_000 };

/** Partition n is on node n + 1, which alone has it. A topic of one partition is on a node that stays. */
const onOneNode = ({ name, partitions }: NamedTopic): ITopicConfig => ({
  topic: name,
  replicaAssignment: Array.from({ length: partitions }, (_, partition) => ({
    partition,
    replicas: [partitions === 1 ? 2 : partition + 1],
  })),
  configEntries: [
    { name: "message.timestamp.type", value: "LogAppendTime" },
    { name: "min.insync.replicas", value: "1" },
  ],
});

async function ownCluster() {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-leaderless-"));
  const cluster = await startKafkaCluster(dir);
  onTestFinished(async () => {
    await cluster.stop();
    await rm(dir, { recursive: true, force: true });
  });
  const { env, uniqueName } = useStack();
  const namespace = uniqueName("leaderless");
  const settings = { TRACKLOG_NAMESPACE: namespace, CAMERA_PARTITIONS: String(NODES), TOPIC_REPLICATION_FACTOR: "1" };
  const config = loadConfig(stateMachineEnv, { ...env, ...cluster.env, ...settings });
  const kafka = createKafka("test", config, log);
  const admin = kafka.admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  await createTopics(admin, topicsOf(namespace, NODES, config.CAMERA_LOG_RETENTION_MS).map(onOneNode));
  return { cluster, config, kafka, topic: topicName(namespace, "camera-log") };
}

/** A data source in each partition. */
function camerasOf(topic: string): string[] {
  const partitionOf = createPartitionOf(new Map([[topic, NODES]]));
  const names = Array.from({ length: 100 }, (_, i) => `camera-${i}`);
  return Array.from({ length: NODES }, (_, partition) => {
    const found = names.find((name) => partitionOf(topic, name) === partition);
    if (found === undefined) throw new Error(`no name for partition ${partition}`);
    return found;
  });
}

test("while one broker is away with the only copy of its partitions, the others are written, taken over and folded", async () => {
  const { cluster, config, kafka, topic } = await ownCluster();
  const codec = await createCodec(config.SCHEMA_REGISTRY_URL);
  const cameras = camerasOf(topic);
  const limits = { lingerMs: 0, maxBatchBytes: 1_000_000, maxQueueBytes: 1_000_000, timeoutMs: 60_000 };
  const publisher = createPublisher({ ...limits, kafka, topics: [topic], log });
  await publisher.start();
  onTestFinished(publisher.stop);
  /** Offset of the newest message in each partition. */
  const newest = cameras.map(() => -1);
  let tracks = 0;
  /** One track of each camera at once; whether each was acknowledged. */
  const write = async () => {
    tracks += 1;
    const answers = await Promise.allSettled(
      cameras.map(async (dataSourceId, i) => {
        const { type, event } = created({ dataSourceId, trackId: `${dataSourceId}-${tracks}`, startTime: T0 });
        const value = codec.encode(type, event as never);
        for (const { offset } of await publisher.publish([{ topic, key: dataSourceId, value }])) newest[i] = offset;
      }),
    );
    return answers.map(({ status }) => status === "fulfilled");
  };
  const redis = createRedis(config.REDIS_URL, log);
  await redis.start();
  onTestFinished(redis.stop);
  /** Whether live state has all that was acknowledged, by partition. */
  const folded = () =>
    Promise.all(
      newest.map(async (offset, partition) => {
        const { position } = partitionKeys(config.TRACKLOG_NAMESPACE, partition);
        return Number((await redis.client.hget(position, "next")) ?? 0) > offset;
      }),
    );
  expect(await write()).toEqual([true, true, true]);

  await cluster.nodes[0]?.halt();
  await until(async () => (await write()).join() === "false,true,true", LATER);
  const stop = Promise.withResolvers<void>();
  const machine = run(assemble({ config, codec, log }), stop.promise, log);
  onTestFinished(async () => {
    stop.resolve();
    await machine;
  });
  await Promise.race([machine, until(async () => (await folded()).join() === "false,true,true", LATER)]);

  await cluster.nodes[0]?.start();
  await until(async () => (await write()).every((isWritten) => isWritten), LATER);
  await until(async () => (await folded()).every((isFolded) => isFolded), LATER);
});
