import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { createInboxes, type PartitionId } from "../../../../../../services/common/kafka/read/inboxes.ts";

const [first, second] = [
  { topic: "log", partition: 0 },
  { topic: "log", partition: 1 },
];

const message = (offset: number): KafkaMessage => ({
  ...{ key: null, value: null, attributes: 0, headers: {} },
  ...{ offset: String(offset), timestamp: "0" },
});

const isSecond = ({ partition }: PartitionId) => partition === 1;

function createFilled(maxMessages: number) {
  const inboxes = createInboxes({ maxMessages, maxBytes: 10_000 });
  inboxes.assign([first, second]);
  inboxes.take();
  for (const id of [first, second]) {
    inboxes.begin(id, 0);
    inboxes.put(id, { messages: [message(0), message(1)], next: 2, highWatermark: 2 });
  }
  return inboxes;
}

test("messages of a partition that is not ready stay where they are", () => {
  const inboxes = createFilled(10);

  expect(inboxes.take(isSecond).batches.map(({ partition }) => partition)).toEqual([1]);
  expect(inboxes.take().batches.map(({ partition, messages }) => [partition, messages.length])).toEqual([[0, 2]]);
});

test("a full inbox is read on when it is taken, not before", () => {
  const inboxes = createFilled(2);

  expect(inboxes.take(isSecond).resumable).toEqual([second]);
  expect(inboxes.take(isSecond).resumable).toEqual([]);
  expect(inboxes.take().resumable).toEqual([first]);
});

test("nobody is kept waiting by a partition that becomes ready", async () => {
  const inboxes = createFilled(10);
  inboxes.take(isSecond);

  const waiting = inboxes.wait(3_600_000, isSecond);
  inboxes.wake();

  await waiting;
});
