import { expect, onTestFinished, test } from "vitest";
import { topicsOf } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { TopicsDiffer } from "../../../services/common/kafka/compare-topics.ts";
import { createTopics, provideTopics, topicsCheck } from "../../../services/common/kafka/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { useStack } from "../../support/stack.ts";

const DAY_MS = 86_400_000;

async function installation() {
  const { env, uniqueName } = useStack();
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent"));
  const admin = kafka.admin();
  await admin.connect();
  const namespace = uniqueName("provision");
  const wanted = topicsOf(namespace, 3, DAY_MS);
  onTestFinished(async () => {
    const existing = await admin.listTopics();
    await admin.deleteTopics({ topics: wanted.map(({ name }) => name).filter((name) => existing.includes(name)) });
    await admin.disconnect();
  });
  return { kafka, admin, namespace, wanted };
}

test("topics are created once, and asked for again as they are", async () => {
  const { kafka, admin, wanted } = await installation();

  expect(await provideTopics(admin, wanted, 1)).toEqual(wanted.map(({ name }) => name));
  expect(await provideTopics(admin, wanted, 1)).toEqual([]);
  await topicsCheck(kafka, wanted, 1).start();
});

test("a topic with other partitions, retention, timestamps or replicas is refused, each difference by name", async () => {
  const { kafka, admin, namespace, wanted } = await installation();
  const topic = `${namespace}.camera-log`;
  // As a broker with automatic creation makes it: none of the log's promises hold for it.
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
  await expect(topicsCheck(kafka, wanted, 1).start()).rejects.toThrow(`${namespace}.zones is missing`);
});
