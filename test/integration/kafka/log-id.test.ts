import { Kafka } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { topicIds } from "../../../services/common/kafka/log-id.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { until } from "../../support/running/processes.ts";
import { useStack } from "../../support/running/stack.ts";

const log = createLog("test", "silent");

async function createTopics(brokers: readonly string[]) {
  const { env, uniqueName } = useStack();
  const config = loadConfig(kafkaEnv, env);
  const kafka = createKafka("test", { ...config, KAFKA_BROKERS: [...brokers, ...config.KAFKA_BROKERS] }, log);
  const admin = createKafka("test", config, log).admin();
  await admin.connect();
  const topics = [uniqueName("log_id"), uniqueName("log_id")];
  const provide = async (names: readonly string[]) => {
    const wanted = names.map((name) => ({ name, partitions: 3, cleanup: "delete" as const, retentionMs: 60_000 }));
    await provideTopics(admin, wanted, 1);
  };
  await provide(topics);
  onTestFinished(async () => {
    await admin.deleteTopics({ topics });
    await admin.disconnect();
  });
  return { kafka, admin, topics, provide };
}

test("a topic that is made again under the same name has another id, the others keep theirs", async () => {
  const { kafka, admin, topics, provide } = await createTopics([]);
  const [replaced = "", kept = ""] = topics;
  const before = await topicIds(kafka, topics);

  await admin.deleteTopics({ topics: [replaced] });
  await until(async () => !(await admin.listTopics()).includes(replaced));
  await provide([replaced]);
  const after = await topicIds(kafka, topics);

  expect([...before.keys()].sort()).toEqual([...topics].sort());
  expect(after.get(kept)).toBe(before.get(kept));
  expect(after.get(replaced)).toMatch(/^[\w-]{22}$/);
  expect(after.get(replaced)).not.toBe(before.get(replaced));
});

test("a broker that is away is passed over, and a topic that does not exist is refused", async () => {
  const { kafka, topics } = await createTopics(["127.0.0.1:1"]);

  expect((await topicIds(kafka, topics)).size).toBe(2);
  await expect(topicIds(kafka, [`${topics[0]}_missing`])).rejects.toMatchObject({ code: 3 });
});

test("a client that knows no broker at all says so", async () => {
  const kafka = new Kafka({ brokers: ["127.0.0.1:1"], retry: { retries: 0 }, logCreator: () => () => undefined });

  await expect(topicIds(kafka, ["any"])).rejects.toThrow();
});
