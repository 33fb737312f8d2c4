import { setTimeout as delay } from "node:timers/promises";
import kafkajs from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { topicsOf } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { alterTopics, TopicsDiffer } from "../../../services/common/kafka/write/compare-topics.ts";
import { FILLING, isFilling } from "../../../services/common/kafka/write/filling.ts";
import { createTopics, provideTopics, topicsCheck } from "../../../services/common/kafka/write/provision.ts";
import { settingsOf } from "../../../services/common/kafka/write/topic-settings.ts";
import { createLog } from "../../../services/common/log.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";

const { ConfigResourceTypes } = kafkajs;
const DAY_MS = 86_400_000;

async function installation() {
  const { env, uniqueName } = useStack();
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent"));
  const admin = kafka.admin();
  await admin.connect();
  const namespace = uniqueName("provision");
  const wanted = topicsOf(namespace, 3, DAY_MS);
  const check = (waitsFor: readonly string[] = []) =>
    topicsCheck(kafka, { wanted, replicationFactor: 1, waitsFor: new Set(waitsFor), log: createLog("test", "silent") });
  onTestFinished(async () => {
    const existing = await admin.listTopics();
    await admin.deleteTopics({ topics: wanted.map(({ name }) => name).filter((name) => existing.includes(name)) });
    await admin.disconnect();
  });
  return { admin, namespace, wanted, check };
}

test("topics are created once, and asked for again as they are", async () => {
  const { admin, wanted, check } = await installation();

  expect(await provideTopics(admin, wanted, 1)).toEqual({ created: wanted.map(({ name }) => name), mended: [] });
  expect(await provideTopics(admin, wanted, 1)).toEqual({ created: [], mended: [] });
  await check().start();
});

test("what can be mended without a loss is mended and named, settings of the operator stay, and services start after it", async () => {
  const { admin, namespace, wanted, check } = await installation();
  const [cameraLog, heartbeats] = [`${namespace}.camera-log`, `${namespace}.device-heartbeats`];
  await provideTopics(admin, wanted, 1);
  const topic = (name: string, configEntries: { name: string; value: string }[]) => {
    return { type: ConfigResourceTypes.TOPIC, name, configEntries };
  };
  // Settings of an earlier version, and one of an operator (`own`).
  const common = [{ name: "message.timestamp.type", value: "LogAppendTime" }];
  const large = { name: "max.message.bytes", value: "8388608" };
  const own = { name: "file.delete.delay.ms", value: "12345" };
  const small = [
    { name: "max.message.bytes", value: "1000000" },
    { name: "retention.ms", value: "3600000" },
  ];
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      topic(cameraLog, [...common, ...small, own]),
      topic(heartbeats, [...common, large, { name: "cleanup.policy", value: "compact" }]),
    ],
  });
  const refusal = async () =>
    String(
      await check()
        .start()
        .catch((error: unknown) => error),
    );
  // The broker shows changed settings a moment later.
  await until(async () => {
    const text = await refusal();
    return text.includes(`${cameraLog}: max.message.bytes is 1000000`) && text.includes(`${heartbeats}: segment.bytes`);
  });

  const { created, mended } = await provideTopics(admin, wanted, 1);

  expect(created).toEqual([]);
  expect(mended.toSorted()).toEqual([
    `${cameraLog}: max.message.bytes was 1000000, is 8388608`,
    `${cameraLog}: retention.ms was 3600000, is ${DAY_MS}`,
    `${cameraLog}: segment.ms was 604800000, is ${DAY_MS / 8}`,
    `${heartbeats}: segment.bytes was 1073741824, is 16777216`,
    `${heartbeats}: segment.ms was 604800000, is 3600000`,
  ]);
  await check().start();
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: cameraLog, configNames: [own.name] }],
  });
  expect(resources[0]?.configEntries[0]?.configValue).toBe(own.value);
});

test("a topic with other partitions, retention, timestamps or replicas is refused, each difference by name", async () => {
  const { admin, namespace, wanted, check } = await installation();
  const topic = `${namespace}.camera-log`;
  // A broker with automatic creation makes such a topic: none of the log's promises hold for it.
  const topics = [{ topic, numPartitions: 1, configEntries: [{ name: "retention.ms", value: "60000" }] }];
  await createTopics(admin, topics);

  const refusal = await provideTopics(admin, wanted, 3).catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(TopicsDiffer);
  for (const difference of [
    `${topic}: partitions is 1, asked for is 3`,
    `${topic}: replicas of each partition is 1, asked for is 3`,
    `${topic}: min.insync.replicas is 1, asked for is 2`,
    `${topic}: message.timestamp.type is CreateTime, asked for is LogAppendTime`,
    `${topic}: retention.ms is 60000, asked for is ${DAY_MS}`,
  ]) {
    expect(String(refusal)).toContain(difference);
  }
  expect(await admin.listTopics()).not.toContain(`${namespace}.zones`);
  await expect(check().start()).rejects.toThrow(`${namespace}.zones is missing`);
});

test("a service waits while a topic that it needs is being filled, and works while another one is", async () => {
  const { admin, namespace, wanted, check } = await installation();
  await provideTopics(admin, wanted, 1);
  const zones = `${namespace}.zones`;
  await alterTopics(admin, [zones], FILLING);
  await until(() => isFilling(admin, zones));

  await check().start();
  const needing = check([zones]);
  const started = needing.start().then(() => "started");
  expect(await Promise.race([started, delay(500, "waits")])).toBe("waits");
  await alterTopics(admin, [zones], settingsOf({ name: zones, partitions: 1, cleanup: "delete", retentionMs: -1 }, 1));

  expect(await started).toBe("started");
});
