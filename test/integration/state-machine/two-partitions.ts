// State machines over a separate log on the shared stores.
import kafkajs from "kafkajs";
import { onTestFinished } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { type Topic, topicName, topics, topicsOf } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createPublisher } from "../../../services/common/kafka/write/publisher.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { useStack } from "../../support/running/stack.ts";

const log = createLog("test", "silent");

/** A camera-log of two partitions, empty. */
export async function createTwoPartitions(settings: Readonly<Record<string, string>> = {}) {
  const { env: stack, uniqueName } = useStack();
  const namespace = uniqueName("state_machine");
  const env = { ...stack, TRACKLOG_NAMESPACE: namespace, CAMERA_PARTITIONS: "2", ...settings };
  const provided = loadConfig(provisionEnv, env);
  const config = loadConfig(stateMachineEnv, env);
  const codec = await createCodec(config);
  const kafka = createKafka("test", config, log);
  const admin = kafka.admin();
  await admin.connect();
  const wanted = topicsOf(namespace, provided.CAMERA_PARTITIONS, provided.CAMERA_LOG_RETENTION_MS);
  await provideTopics(admin, wanted, provided.TOPIC_REPLICATION_FACTOR);
  const redis = createRedis(config, log);
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
      const running = run(assembleStateMachine({ config, codec, log }), stop.promise, log);
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
      const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic("zone-intersections"), configEntries }];
      await admin.alterConfigs({ validateOnly: false, resources });
    },

    savedUpTo: async (partition: number) =>
      Number(await redis.client.hget(partitionKeys(namespace, partition).position, "next")),

    /** Names the takeover. */
    ownerOf: (partition: number) => redis.client.hget(partitionKeys(namespace, partition).position, "owner"),

    /** With the partition of each. */
    async events(name: Topic) {
      const found = await readAll({ kafka, groupPrefix: namespace, topic: topic(name), log });
      return found.flatMap(({ partition, message }) => {
        const decoded = codec.decode(message.value);
        return decoded.ok ? [{ partition, ...decoded }] : [];
      });
    },
  };
}
