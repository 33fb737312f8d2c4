import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { readAll, readEach, readLast, readSince } from "../../../services/common/kafka/read/read-some.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { useStack } from "../../support/running/stack.ts";

const PARTITIONS = 2;
const EACH = 40;
const VALUE_BYTES = 512 * 1024;

/** More messages than several fetches return, numbered by partition and offset. */
async function fillTopic() {
  const { env, uniqueName } = useStack();
  const topic = uniqueName("read_some");
  const log = createLog("test", "silent");
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  const admin = kafka.admin();
  await admin.connect();
  await provideTopics(admin, [{ name: topic, partitions: PARTITIONS, cleanup: "delete", retentionMs: 3_600_000 }], 1);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  for (let offset = 0; offset < EACH; offset++) {
    const messages = Array.from({ length: PARTITIONS }, (_, partition) => {
      return { partition, key: `${partition}/${offset}`, value: Buffer.alloc(VALUE_BYTES) };
    });
    await producer.send({ topic, messages });
  }
  await producer.disconnect();
  onTestFinished(async () => {
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  });
  return { kafka, admin, topic, log, groupPrefix: topic };
}

const keysOf = (messages: readonly { message: { key: Buffer | null } }[], partition: number): string[] =>
  messages.map(({ message }) => String(message.key)).filter((key) => key.startsWith(`${partition}/`));

const keys = (partition: number, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `${partition}/${from + i}`);

test("a topic is read message by message, each once, or only a part of it, or from a time on", async () => {
  const { admin, topic, ...options } = await fillTopic();

  const all = await readAll({ ...options, topic });
  const part = [];
  const cut = ({ partition }: { partition: number }) => ({ partition, low: 3, high: partition === 0 ? 30 : 3 });
  for await (const message of readEach({ ...options, topic }, cut)) part.push(message);
  const last = await readLast({ ...options, topic }, 1);
  const times = all.filter(({ partition }) => partition === 0).map(({ message }) => Number(message.timestamp));
  const since = times[EACH / 2] ?? 0;
  const later = [];
  for await (const message of readSince({ ...options, topic }, since)) later.push(message);
  const none = [];
  for await (const message of readSince({ ...options, topic }, Date.now() + 60_000)) none.push(message);

  for (let partition = 0; partition < PARTITIONS; partition++) {
    expect(keysOf(all, partition)).toEqual(keys(partition, 0, EACH));
    expect(keysOf(last, partition)).toEqual(keys(partition, EACH - 1, EACH));
  }
  expect(keysOf(later, 0)).toEqual(keys(0, times.indexOf(since), EACH));
  expect(none).toEqual([]);
  expect(part.map(({ message }) => String(message.key))).toEqual(keys(0, 3, 30));
});

test("who has seen enough may stop, and leaves no group behind", async () => {
  const { admin, topic, ...options } = await fillTopic();

  for await (const { message } of readEach({ ...options, topic })) {
    expect(message.value).toHaveLength(VALUE_BYTES);
    break;
  }

  const { groups } = await admin.listGroups();
  expect(groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(options.groupPrefix))).toEqual([]);
});
