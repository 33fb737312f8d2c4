import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import type { LoadSchemasOptions } from "../../../../../../schemas/codec.ts";
import { createInboxes } from "../../../../../../services/common/kafka/read/inboxes.ts";

const id = { topic: "t", partition: 0 };

const message = (offset: number, bytes = 1): KafkaMessage => ({
  key: null,
  value: Buffer.alloc(bytes),
  timestamp: "0",
  attributes: 0,
  headers: {},
  offset: String(offset),
});

test("a beginning that was asked for before a newer assignment begins nothing", () => {
  const inboxes = createInboxes({ maxMessages: 10, maxBytes: 10_000 });
  inboxes.assign([id]);
  inboxes.take();

  inboxes.assign([id]);
  inboxes.begin(id, 0);
  inboxes.put(id, { messages: [message(0)], next: 1, highWatermark: 1 });

  expect(inboxes.accepts(id)).toBe(false);
  expect(inboxes.take()).toMatchObject({ assigned: [id], batches: [] });
});

/** Begun inboxes, and a broker that returns one message of this size per answer. */
function createFilling(partitions: number, limits: { maxMessages: number; maxBytes: number }) {
  const inboxes = createInboxes(limits);
  const ids = Array.from({ length: partitions }, (_, partition) => ({ topic: "t", partition }));
  inboxes.assign(ids);
  inboxes.take();
  for (const each of ids) inboxes.begin(each, 0);
  const offsets = new Map<number, number>();
  const paused = new Set<number>();
  let bytes = 0;
  return {
    inboxes,
    paused,
    held: () => bytes,
    /** One answer for each of these partitions that is not paused. */
    fetch(from: readonly number[], size: number) {
      for (const partition of from) {
        if (paused.has(partition)) continue;
        const offset = offsets.get(partition) ?? 0;
        offsets.set(partition, offset + 1);
        bytes += size;
        const fetched = { messages: [message(offset, size)], next: offset + 1, highWatermark: offset + 1 };
        for (const full of inboxes.put({ topic: "t", partition }, fetched)) paused.add(full.partition);
      }
    },
  };
}

test("however many partitions there are, together they hold a bounded number of bytes", () => {
  const { inboxes, paused, held, fetch } = createFilling(12, { maxMessages: 20_000, maxBytes: 64 * 1024 });
  const all = Array.from({ length: 12 }, (_, partition) => partition);

  for (let round = 0; round < 1_000; round++) fetch(all, 1_024);

  expect(held()).toBeLessThanOrEqual(64 * 1024);
  expect([...paused].sort((a, b) => a - b)).toEqual(all);
  expect(inboxes.take().resumable).toHaveLength(12);
});

test("a partition of which nothing waits is fetched even when the others fill the whole", () => {
  const { inboxes, paused, fetch } = createFilling(2, { maxMessages: 20_000, maxBytes: 1_024 });

  fetch([0], 4_096);
  expect([...paused]).toEqual([0]);
  fetch([1], 10);

  expect([...paused]).toEqual([0, 1]);
  expect(inboxes.take().batches.map(({ partition, messages }) => [partition, messages.length])).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test("an inbox that is emptied, or begun anew, makes room", () => {
  const { inboxes, paused, fetch } = createFilling(2, { maxMessages: 20_000, maxBytes: 1_024 });
  fetch([0], 600);
  inboxes.take();
  fetch([1], 300);
  inboxes.begin({ topic: "t", partition: 1 }, 0);

  fetch([0], 600);

  expect([...paused]).toEqual([]);
});

test("a message counts with all the memory that it holds, not with its own bytes alone", () => {
  const inboxes = createInboxes({ maxMessages: 10, maxBytes: 10_000 });
  inboxes.assign([id]);
  inboxes.take();
  inboxes.begin(id, 0);
  const held = (offset: number) => Object.assign(message(offset), { retainedBytes: 4_800 });

  expect(inboxes.put(id, { messages: [held(0)], next: 1, highWatermark: 1 })).toEqual([]);
  expect(inboxes.put(id, { messages: [held(1)], next: 2, highWatermark: 2 })).toEqual([id]);
});

test("a partition whose schemas are being fetched keeps its messages, and the others go on", async () => {
  const loaded = Promise.withResolvers<undefined>();
  const loadSchemas = (values: Iterable<Buffer | null>) =>
    [...values].some((value) => value?.length === 9) ? loaded.promise : undefined;
  const inboxes = createInboxes({ maxMessages: 10, maxBytes: 10_000, loadSchemas });
  const other = { topic: "t", partition: 1 };
  inboxes.assign([id, other]);
  inboxes.take();
  inboxes.begin(id, 0);
  inboxes.begin(other, 0);

  inboxes.put(id, { messages: [message(0), message(1, 9)], next: 2, highWatermark: 3 });
  inboxes.put(id, { messages: [message(2)], next: 3, highWatermark: 3 });
  inboxes.put(other, { messages: [message(0)], next: 1, highWatermark: 1 });

  expect(inboxes.take().batches.map(({ partition }) => partition)).toEqual([1]);
  loaded.resolve(undefined);
  await inboxes.wait(10_000);
  expect(inboxes.take().batches.map(({ partition, next }) => [partition, next])).toEqual([[0, 3]]);
});

test("a reader whose schemas cannot be fetched says so", async () => {
  const inboxes = createInboxes({
    maxMessages: 10,
    maxBytes: 10_000,
    loadSchemas: () => Promise.reject(new Error("away")),
  });
  inboxes.assign([id]);
  inboxes.take();
  inboxes.begin(id, 0);

  inboxes.put(id, { messages: [message(0)], next: 1, highWatermark: 1 });
  await inboxes.wait(10_000);

  await expect(inboxes.wait(10_000)).rejects.toThrow("away");
});

/** Loads two schemas at once. The size of a message is its schema. */
function loadTwo(values: Iterable<Buffer | null>, { held = new Set<number>() }: LoadSchemasOptions = {}) {
  let count = 0;
  for (const value of values) {
    const schema = value?.length ?? 0;
    if (held.size === 2 && !held.has(schema)) return count;
    held.add(schema);
    count += 1;
  }
  return undefined;
}

test("messages that need too many schemas at once are taken in several batches, in order, and none is lost", () => {
  const inboxes = createInboxes({ maxMessages: 10, maxBytes: 10_000, loadSchemas: loadTwo });
  inboxes.assign([id]);
  inboxes.take();
  inboxes.begin(id, 0);
  const schemas = [1, 2, 1, 3, 3, 4, 5];

  const messages = schemas.map((schema, offset) => message(offset, schema));
  inboxes.put(id, { messages: messages.slice(0, 3), next: 3, highWatermark: 8 });
  inboxes.put(id, { messages: messages.slice(3), next: 8, highWatermark: 8 });

  const taken = Array.from({ length: 4 }, () => inboxes.take().batches);
  expect(
    taken.map((batches) => batches.map((batch) => [batch.messages.map(({ offset }) => offset), batch.next])),
  ).toEqual([[[["0", "1", "2"], 3]], [[["3", "4", "5"], 6]], [[["6"], 8]], []]);
});

test("a full inbox is fetched again only when all its batches were taken", () => {
  const inboxes = createInboxes({ maxMessages: 2, maxBytes: 10_000, loadSchemas: loadTwo });
  inboxes.assign([id]);
  inboxes.take();
  inboxes.begin(id, 0);

  expect(
    inboxes.put(id, { messages: [1, 2, 3].map((schema, i) => message(i, schema)), next: 3, highWatermark: 3 }),
  ).toEqual([id]);

  expect(inboxes.take().resumable).toEqual([]);
  expect(inboxes.take().resumable).toEqual([id]);
});

test("all partitions are open when each has begun and none is full", () => {
  const { inboxes, fetch } = createFilling(2, { maxMessages: 20_000, maxBytes: 1_024 });
  expect(inboxes.areAllOpen()).toBe(true);

  fetch([0], 4_096);
  expect(inboxes.areAllOpen()).toBe(false);
  inboxes.take();
  expect(inboxes.areAllOpen()).toBe(true);

  inboxes.assign([id]);
  expect(inboxes.areAllOpen()).toBe(false);
  inboxes.take();
  expect(inboxes.areAllOpen()).toBe(false);
  inboxes.begin(id, 0);
  expect(inboxes.areAllOpen()).toBe(true);
});
