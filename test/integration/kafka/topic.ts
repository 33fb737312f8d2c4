import { onTestFinished } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { useStack } from "../../support/running/stack.ts";

export const log = createLog("test", "silent");

/** A separate topic for this test. */
export async function createTopic(partitions: number) {
  const { env, uniqueName } = useStack();
  const topic = uniqueName("log");
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  const admin = kafka.admin();
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await Promise.all([admin.connect(), producer.connect()]);
  const provide = () =>
    provideTopics(admin, [{ name: topic, partitions, cleanup: "delete", retentionMs: 3_600_000 }], 1);
  await provide();
  onTestFinished(async () => {
    await producer.disconnect();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  });
  const write = async (partition: number, count: number, value = Buffer.from("x")) => {
    await producer.send({ topic, messages: Array.from({ length: count }, () => ({ partition, value })) });
  };
  return { kafka, admin, topic, write, provide };
}
