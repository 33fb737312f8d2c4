// A log of one partition with a separate state machine on the shared stores, in this process.
import type { Message } from "kafkajs";
import { onTestFinished } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { until } from "../../support/running/processes.ts";

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

export async function createInstallation() {
  const installation = await provideInstallation("sm", { CAMERA_PARTITIONS: "1" });
  const { namespace, variables, log, kafka, admin, codec, topic } = installation;
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  const redis = createRedis(installation.config(stateMachineEnv), log);
  await Promise.all([producer.connect(), redis.start()]);
  const keys = partitionKeys(namespace, 0);

  onTestFinished(async () => {
    await redis.client.unlink(Object.values(keys));
    await Promise.all([producer.disconnect(), redis.stop()]);
    await installation.remove();
  });

  return {
    namespace,
    variables,
    kafka,
    admin,
    codec,
    log,
    redis: redis.client,
    topic,
    keys,
    read: installation.read,

    async write(name: Topic, messages: readonly Message[]): Promise<void> {
      await producer.send({ topic: topic(name), messages: [...messages] });
    },

    async record(events: readonly CameraLogEvent[]): Promise<void> {
      const messages = events.map(({ type, event }) => ({ key: "cam", value: codec.encode(type, event) }));
      await producer.send({ topic: topic("camera-log"), messages });
    },

    /** Deletes the messages before the offset, as retention does. */
    async drop(name: Topic, offset: number): Promise<void> {
      // kafkajs must know the topic before.
      await admin.fetchTopicMetadata({ topics: [topic(name)] });
      await admin.deleteTopicRecords({ topic: topic(name), partitions: [{ partition: 0, offset: String(offset) }] });
    },

    /** Deletes the topic and makes it again: another log of the same name. */
    async replaceCameraLog(): Promise<void> {
      const name = topic("camera-log");
      await admin.deleteTopics({ topics: [name] });
      await until(async () => !(await admin.listTopics()).includes(name));
      await installation.provide();
    },

    /** `failed` rejects when the machine ends by itself. */
    startMachine(settings: Readonly<Record<string, string>> = {}) {
      const config = loadConfig(stateMachineEnv, { ...variables, ...settings });
      const stopRequest = Promise.withResolvers<void>();
      const failed = run(assembleStateMachine({ config, codec, log }), stopRequest.promise, log);
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
