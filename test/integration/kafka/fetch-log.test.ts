import type { Kafka } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { createLogFetcher } from "../../../services/common/kafka/read/fetch-log.ts";
import { until } from "../../support/running/processes.ts";
import { createTopic } from "./topic.ts";

async function startFetcher(kafka: Kafka, maxBytes: number) {
  const fetcher = createLogFetcher(kafka, maxBytes);
  await fetcher.start();
  onTestFinished(() => fetcher.stop());
  return fetcher;
}

test("a stretch of a partition is read in portions, from any offset, and no group is left behind", async () => {
  const { kafka, admin, topic, write } = await createTopic(2);
  for (let i = 0; i < 10; i++) await write(1, 1, Buffer.alloc(1_000, i));
  const fetcher = await startFetcher(kafka, 3_000);

  const offsets: number[] = [];
  let next = 3;
  for (let portions = 0; next < 10; portions++) {
    const fetched = await fetcher.fetch({ topic, partition: 1 }, next);
    offsets.push(...fetched.messages.map(({ offset }) => Number(offset)));
    next = fetched.next;
    expect(portions).toBeLessThan(10);
  }

  expect(offsets).toEqual([3, 4, 5, 6, 7, 8, 9]);
  expect(await fetcher.fetch({ topic, partition: 1 }, 10)).toEqual({ messages: [], next: 10 });
  expect(await fetcher.fetch({ topic, partition: 0 }, 0)).toEqual({ messages: [], next: 0 });
  const { groups } = await admin.listGroups();
  expect(groups.filter(({ groupId }) => groupId.includes(topic))).toEqual([]);
});

test("an offset that the log does not have is refused", async () => {
  const { kafka, topic, write } = await createTopic(1);
  await write(0, 2);
  const fetcher = await startFetcher(kafka, 1_000);

  await expect(fetcher.fetch({ topic, partition: 0 }, 3)).rejects.toThrow("not within the range");
});

test("marks of transactions and what they took back are passed", async () => {
  const { kafka, admin, topic } = await createTopic(1);
  const producer = kafka.producer({ transactionalId: topic, maxInFlightRequests: 1, idempotent: true });
  await producer.connect();
  onTestFinished(() => producer.disconnect());
  for (const [value, end] of [
    ["a", "commit"],
    ["b", "abort"],
    ["c", "commit"],
  ] as const) {
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value, partition: 0 }] });
    await transaction[end]();
  }
  await until(async () => (await offsetRanges(admin, topic))[0]?.high === 6);
  const fetcher = await startFetcher(kafka, 100_000);

  const { messages, next } = await fetcher.fetch({ topic, partition: 0 }, 0);

  expect(messages.map(({ value }) => String(value))).toEqual(["a", "c"]);
  expect(next).toBe(6);
});
