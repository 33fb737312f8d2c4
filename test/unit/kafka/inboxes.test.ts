import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { createInboxes } from "../../../services/common/kafka/inboxes.ts";

const id = { topic: "t", partition: 0 };

const message = (offset: number): KafkaMessage => ({
  key: null,
  value: Buffer.from("x"),
  timestamp: "0",
  attributes: 0,
  headers: {},
  offset: String(offset),
});

test("a beginning that was asked for before a newer assignment begins nothing", () => {
  const inboxes = createInboxes(10);
  inboxes.assign([id]);
  inboxes.take();

  inboxes.assign([id]);
  inboxes.begin(id, 0);
  inboxes.put(id, { messages: [message(0)], next: 1, highWatermark: 1 });

  expect(inboxes.accepts(id)).toBe(false);
  expect(inboxes.take()).toMatchObject({ assigned: [id], batches: [] });
});
