import { expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createPublisher, type OutMessage } from "../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { useStack } from "../../support/running/stack.ts";

const log = createLog("test", "silent");
const BATCH_BYTES = 1_000;
const PARTITIONS = 2;
/** The broker's limit for a batch; it refuses more, as a topic does whose limit is smaller than the publisher's. */
const TAKEN_BYTES = 2_000;

async function createTopic() {
  const { env, uniqueName } = useStack();
  const topic = uniqueName("publisher");
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  const admin = kafka.admin();
  await admin.connect();
  const configEntries = [{ name: "max.message.bytes", value: String(TAKEN_BYTES) }];
  await createTopics(admin, [{ topic, numPartitions: PARTITIONS, replicationFactor: 1, configEntries }]);
  const publisher = createPublisher({
    kafka,
    topics: [topic],
    log,
    lingerMs: 0,
    maxBatchBytes: BATCH_BYTES,
    maxQueueBytes: 1_000_000,
    timeoutMs: 3_600_000,
    retries: 0,
  });
  await publisher.start();
  // The broker may refuse messages before it knows that it leads, and this publisher repeats nothing.
  await offsetRanges(admin, topic);
  onTestFinished(async () => {
    await publisher.stop();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  });
  const message = (name: string, bytes: number, partition = 0): OutMessage => ({
    topic,
    partition,
    key: name,
    value: Buffer.alloc(bytes),
  });
  return {
    publish: publisher.publish,
    message,
    ends: async () => (await offsetRanges(admin, topic)).map(({ high }) => high),
    written: async (partition = 0) => {
      const found = await readAll({ kafka, groupPrefix: topic, topic, log });
      return found.filter((each) => each.partition === partition).map((each) => String(each.message.key));
    },
  };
}

test("after a batch that the log refused nothing later of its call is written", async () => {
  const { publish, message, written } = await createTopic();

  // One batch each.
  const call = publish([
    message("first", 900),
    message("refused", TAKEN_BYTES),
    message("after", 900),
    message("last", 900),
  ]);
  const other = publish([message("another caller's", 900)]);

  await expect(call).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await other;
  expect(await written()).toEqual(["first", "another caller's"]);
});

test("a call to several partitions is cut off in all of them", async () => {
  const { publish, message, ends } = await createTopic();

  const call = publish([
    message("refused", TAKEN_BYTES, 0),
    message("a", 900, 1),
    message("b", 900, 0),
    message("c", 900, 1),
  ]);

  await expect(call).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await publish([message("d", 1)]);
  expect(await ends()).toEqual([1, 0]);
});

test("a partition that does not exist is refused, and what was sent with it is written", async () => {
  const { publish, message, ends } = await createTopic();

  const lost = publish([message("nowhere", 1, PARTITIONS)]);
  const found = publish([message("somewhere", 1, 1)]);

  await expect(lost).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await found).toMatchObject([{ partition: 1, offset: 0 }]);
  expect(await ends()).toEqual([0, 1]);
});

test("a caller that loses its right between sending and the socket writes nothing, and the next one does", async () => {
  const { publish, message, written } = await createTopic();
  let asked = 0;

  const lost = publish([message("lost", 100), message("lost, too", 100, 1)], () => ++asked === 1);
  await expect(lost).rejects.toThrow("no longer valid");
  await publish([message("later", 100)], () => true);

  expect(await written()).toEqual(["later"]);
  expect(await written(1)).toEqual([]);
});
