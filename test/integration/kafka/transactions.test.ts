import type { Kafka } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { createFollower } from "../../../services/common/kafka/read/follow.ts";
import { createGroupReader, type TakenBatch } from "../../../services/common/kafka/read/group-reader.ts";
import { askPartitionEnds } from "../../../services/common/kafka/read/partition-ends.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { until } from "../../support/running/processes.ts";
import { createTopic, log } from "./topic.ts";

/** Writes each value in a separate transaction, one after the other. */
async function transact(kafka: Kafka, topic: string, reported: readonly [value: string, end: "commit" | "abort"][]) {
  const producer = kafka.producer({ transactionalId: topic, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  for (const [value, end] of reported) {
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value, partition: 0 }] });
    await transaction[end]();
  }
  await producer.disconnect();
}

const valuesIn = (batches: readonly TakenBatch[]) =>
  batches.flatMap(({ messages }) => messages.map(({ value }) => String(value)));

/** Offset: 0 a, 1 mark, 2 b, 3 mark, 4 aborted, 5 mark. */
async function createTransacted() {
  const installation = await createTopic(1);
  const { kafka, admin, topic } = installation;
  await transact(kafka, topic, [
    ["a", "commit"],
    ["b", "commit"],
    ["c", "abort"],
  ]);
  // The broker answers before it has written the mark.
  await until(async () => (await offsetRanges(admin, topic))[0]?.high === 6);
  return installation;
}

/** Reads from the offset until the next one to read is the given one. */
async function readUntil(kafka: Kafka, topic: string, from: number, next: number) {
  const reader = createGroupReader({ kafka, groupId: `${topic}.${from}`, topics: [topic], log });
  onTestFinished(() => reader.stop());
  await reader.start();
  const found: TakenBatch[] = [];
  while (found.at(-1)?.next !== next) {
    const { assigned, batches } = await reader.next(1_000);
    await reader.begin((assigned ?? []).map((id) => ({ ...id, offset: from })));
    found.push(...batches);
  }
  return valuesIn(found);
}

test("a reader passes the marks of transactions and what they took back, and gets the rest", async () => {
  const { kafka, topic, write } = await createTransacted();

  expect(await readUntil(kafka, topic, 0, 6)).toEqual(["a", "b"]);
  expect(await readUntil(kafka, topic, 3, 6)).toEqual([]);
  await write(0, 1, Buffer.from("d"));
  expect(await readUntil(kafka, topic, 4, 7)).toEqual(["d"]);
});

test("a topic that ends in a mark can be read to its end, and be caught up with", async () => {
  const { kafka, topic } = await createTransacted();
  const groupPrefix = topic;
  const messages = await readAll({ kafka, groupPrefix, topic, log });
  const followed: TakenBatch[] = [];
  const follower = createFollower({
    kafka,
    groupPrefix,
    topics: [topic],
    log,
    from: () => "beginning",
    onBatch: (batch) => void followed.push(batch),
  });
  onTestFinished(() => follower.stop());

  await follower.start();
  await follower.caughtUp;

  expect(messages.map(({ message }) => String(message.value))).toEqual(["a", "b"]);
  expect(valuesIn(followed)).toEqual(["a", "b"]);
});

test("what is acknowledged while a transaction is open is in the log, and not yet to be read", async () => {
  const { kafka, admin, topic } = await createTopic(2);
  const producer = kafka.producer({ transactionalId: topic, maxInFlightRequests: 1, idempotent: true });
  const plain = kafka.producer();
  await Promise.all([producer.connect(), plain.connect()]);
  onTestFinished(async () => void (await Promise.all([producer.disconnect(), plain.disconnect()])));
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: [{ value: "a", partition: 0 }] });
  const [acknowledged] = await plain.send({ topic, messages: [{ value: "b", partition: 0 }] });

  expect(acknowledged?.baseOffset).toBe("1");
  expect((await offsetRanges(admin, topic)).map(({ high }) => high)).toEqual([0, 0]);
  expect([...(await askPartitionEnds(kafka, topic, "readers"))].sort()).toEqual([
    [0, 0],
    [1, 0],
  ]);
  expect([...(await askPartitionEnds(kafka, topic, "writers"))].sort()).toEqual([
    [0, 2],
    [1, 0],
  ]);
  await transaction.abort();
});
