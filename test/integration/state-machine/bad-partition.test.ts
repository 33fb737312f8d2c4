import { ConfigResourceTypes } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { createCodec } from "../../../schemas/codec.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createPublisher } from "../../../services/common/kafka/publisher.ts";
import { readAll } from "../../../services/common/kafka/read-some.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis.ts";
import { provisionEnv } from "../../../services/provision/config.ts";
import { provision } from "../../../services/provision/provision.ts";
import { assemble } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { until } from "../../support/processes.ts";
import { useStack } from "../../support/stack.ts";
import { created, INSIDE, seen, zone } from "../../unit/live/camera.ts";

const log = createLog("test", "silent");
/** What the broker takes of a partition's outputs at once: a few of a usual size, none with a long tag. */
const TAKEN_BYTES = 4_000;
const LONG_TAG = "x".repeat(2 * TAKEN_BYTES);

async function createInstallation() {
  const { env: stack, uniqueName } = useStack();
  const namespace = uniqueName("bad_partition");
  const env = { ...stack, TRACKLOG_NAMESPACE: namespace, CAMERA_PARTITIONS: "2" };
  await provision(loadConfig(provisionEnv, env), log);
  const config = loadConfig(stateMachineEnv, env);
  const codec = await createCodec(config.SCHEMA_REGISTRY_URL);
  const kafka = createKafka("test", config, log);
  const admin = kafka.admin();
  await admin.connect();
  const redis = createRedis(config.REDIS_URL, log);
  await redis.start();
  const topic = (name: Topic) => topicName(namespace, name);
  const cameraLog = topic("camera-log");
  const limits = { lingerMs: 0, maxBatchBytes: 1e6, maxQueueBytes: 1e8, timeoutMs: 30_000 };
  const publisher = createPublisher({ kafka, topics: [cameraLog], log, ...limits });
  await publisher.start();
  onTestFinished(async () => {
    await publisher.stop();
    await redis.stop();
    await admin.deleteTopics({ topics: (Object.keys(topics) as Topic[]).map(topic) });
    await admin.disconnect();
  });

  return {
    start() {
      const stop = Promise.withResolvers<void>();
      const running = run(assemble({ config, codec, log }), stop.promise, log);
      onTestFinished(async () => {
        stop.resolve();
        await running;
      });
    },

    /** The data source's name is the number of its partition. */
    record: async (partition: number, ...events: CameraLogEvent[]) => {
      const messages = events.map(({ type, event }) => ({
        ...{ topic: cameraLog, partition, key: String(partition) },
        value: codec.encode(type, event as never),
      }));
      return publisher.publish(messages);
    },

    async takeOutputsOf(bytes: number) {
      const configEntries = [
        { name: "max.message.bytes", value: String(bytes) },
        { name: "message.timestamp.type", value: "LogAppendTime" },
      ];
      const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic("zone-intersections"), configEntries }];
      await admin.alterConfigs({ validateOnly: false, resources });
    },

    savedUpTo: async (partition: number) =>
      Number(await redis.client.hget(partitionKeys(namespace, partition).position, "next")),

    /** Names the takeover. */
    ownerOf: (partition: number) => redis.client.hget(partitionKeys(namespace, partition).position, "owner"),

    async intersections() {
      const found = await readAll({ kafka, groupPrefix: namespace, topic: topic("zone-intersections"), log });
      return found.map(({ partition }) => partition).sort();
    },
  };
}

const entering = (partition: number, tag: string): CameraLogEvent[] => {
  const ids = { trackId: `t${partition}`, dataSourceId: String(partition) };
  return [
    { type: "ZoneCreated", event: { zone: zone({ zoneId: `z${partition}`, dataSourceId: String(partition) }) } },
    created({ ...ids, tag, detections: [seen(0, INSIDE, ids)] }),
  ];
};

test("a partition of the outputs that refuses stops only its own, until it takes them", async () => {
  const { start, record, takeOutputsOf, savedUpTo, ownerOf, intersections } = await createInstallation();
  const takenOverAgain = async (partition: number) => {
    const before = await ownerOf(partition);
    await until(async () => (await ownerOf(partition)) !== before);
  };
  await takeOutputsOf(TAKEN_BYTES);
  await record(0, ...entering(0, LONG_TAG));
  await record(1, ...entering(1, "person"));
  start();

  await until(async () => (await savedUpTo(1)) === 2);
  // The first failure may have been that of both.
  for (let times = 0; times < 2; times++) await takenOverAgain(0);
  const owner = await ownerOf(1);
  await takenOverAgain(0);
  await record(1, created({ trackId: "u", dataSourceId: "1", detections: [seen(1_000, INSIDE, { trackId: "u" })] }));
  await until(async () => (await savedUpTo(1)) === 3);
  expect(await ownerOf(1)).toBe(owner);
  expect(await savedUpTo(0)).toBe(0);
  await takeOutputsOf(1_000_000);

  await until(async () => (await savedUpTo(0)) === 2);
  expect(await intersections()).toEqual([0, 1, 1]);
});
