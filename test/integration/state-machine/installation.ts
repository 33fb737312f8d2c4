// A log of one partition with a state machine of its own on the shared stores, in this process.
import type { Message } from "kafkajs";
import { onTestFinished } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createLog } from "../../../services/common/log.ts";
import { createRedis } from "../../../services/common/redis.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { assemble } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { until } from "../../support/processes.ts";
import { useStack } from "../../support/stack.ts";

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

export async function createInstallation() {
  const { env, uniqueName } = useStack();
  const namespace = uniqueName("sm");
  const variables = { ...env, TRACKLOG_NAMESPACE: namespace, CAMERA_PARTITIONS: "1" };
  const log = createLog("test", "silent");
  const provided = loadConfig(provisionEnv, variables);
  await provision(provided, log);
  const codec = await createCodec(env.SCHEMA_REGISTRY_URL);
  const kafka = createKafka("test", provided, log);
  const admin = kafka.admin();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  const redis = createRedis(env.REDIS_URL, log);
  await Promise.all([admin.connect(), producer.connect(), redis.start()]);
  const topic = (name: Topic) => topicName(namespace, name);
  const keys = partitionKeys(namespace, 0);

  onTestFinished(async () => {
    await admin.deleteTopics({ topics: (Object.keys(topics) as Topic[]).map(topic) });
    await redis.client.unlink(Object.values(keys));
    await Promise.all([admin.disconnect(), producer.disconnect(), redis.stop()]);
  });

  return {
    namespace,
    kafka,
    admin,
    codec,
    log,
    redis: redis.client,
    topic,
    keys,

    async write(name: Topic, messages: readonly Message[]): Promise<void> {
      await producer.send({ topic: topic(name), messages: [...messages] });
    },

    async record(events: readonly CameraLogEvent[]): Promise<void> {
      const messages = events.map(({ type, event }) => ({ key: "cam", value: codec.encode(type, event) }));
      await producer.send({ topic: topic("camera-log"), messages });
    },

    /** Deletes what is before the offset, as retention does. */
    async drop(name: Topic, offset: number): Promise<void> {
      // kafkajs must have heard of the topic before.
      await admin.fetchTopicOffsets(topic(name));
      await admin.deleteTopicRecords({ topic: topic(name), partitions: [{ partition: 0, offset: String(offset) }] });
    },

    /** Deletes the topic and makes it again: another log of the same name. */
    async replaceCameraLog(): Promise<void> {
      const name = topic("camera-log");
      await admin.deleteTopics({ topics: [name] });
      await until(async () => !(await admin.listTopics()).includes(name));
      await provision(provided, log);
    },

    /** `failed` rejects when the machine ends by itself. */
    startMachine(settings: Readonly<Record<string, string>> = {}) {
      const config = loadConfig(stateMachineEnv, { ...variables, ...settings });
      const stopRequest = Promise.withResolvers<void>();
      const failed = run(assemble({ config, codec, log }), stopRequest.promise, log);
      failed.catch(() => undefined);
      const stop = async () => {
        stopRequest.resolve();
        await failed.catch(() => undefined);
      };
      onTestFinished(stop);
      return { failed, stop };
    },
  };
}
