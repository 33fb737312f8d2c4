import kafkajs from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { whyUnreadable } from "../../../services/common/kafka/internals/unreadable.ts";
import { createLogFetcher } from "../../../services/common/kafka/read/fetch-log.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { toTopicMessages } from "../../../services/common/kafka/write/topic-messages.ts";
import { useCompression } from "../../support/running/compress.ts";
import { createTopic, log } from "./topic.ts";

useCompression();

const { CompressionTypes } = kafkajs;
const CODECS = [CompressionTypes.GZIP, CompressionTypes.Snappy, CompressionTypes.LZ4, CompressionTypes.ZSTD] as const;

async function createCompressed() {
  const created = await createTopic(1);
  const { kafka, topic } = created;
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  const fetcher = createLogFetcher(kafka, 1024 * 1024);
  await Promise.all([producer.connect(), fetcher.start()]);
  onTestFinished(async () => {
    await Promise.all([producer.disconnect(), fetcher.stop()]);
  });
  return {
    send(compression: (typeof CODECS)[number], values: readonly Buffer[]) {
      const group = values.map((value) => ({ message: { topic, key: null, value, partition: 0 }, partition: 0 }));
      return producer.sendBatch({ compression, topicMessages: toTopicMessages(new Map([["all", group]])) });
    },
    async read() {
      const read = await readAll({ kafka, groupPrefix: topic, topic, log });
      return read.map(({ message }) => message);
    },
    fetch: (offset: number) => fetcher.fetch({ topic, partition: 0 }, offset),
  };
}

test("what producers compress is read, with every codec that the broker takes", async () => {
  const { send, read, fetch } = await createCompressed();
  const valuesOf = (name: string) =>
    Array.from({ length: 500 }, (_, i) => Buffer.from(`${name} ${i} ${"ab".repeat(i)}`));
  const wanted = CODECS.flatMap((codec) => valuesOf(`codec ${codec}`).map(String));

  for (const codec of CODECS) await send(codec, valuesOf(`codec ${codec}`));

  expect((await read()).map(({ value }) => String(value))).toEqual(wanted);
  // From the middle of a batch.
  const { messages } = await fetch(750);
  expect(String(messages[0]?.value)).toBe(wanted[750]);
});

test("a batch that becomes too large costs only that batch; every reader goes on behind it", async () => {
  const { send, read, fetch } = await createCompressed();
  await send(CompressionTypes.GZIP, [Buffer.from("before")]);
  await send(CompressionTypes.GZIP, [Buffer.alloc(100), Buffer.alloc(20 * 1024 * 1024)]);
  await send(CompressionTypes.ZSTD, [Buffer.from("behind")]);

  const found = await read();

  expect(found.map(({ offset }) => offset)).toEqual(["0", "2", "3"]);
  const reason =
    "the batch of the offsets 1 to 2 cannot be read: it has more than 16777216 bytes when it is decompressed";
  expect(whyUnreadable(found[1]?.value ?? null)).toBe(reason);
  expect((await fetch(1)).messages.map(({ offset }) => offset)).toEqual(["2", "3"]);
});

test("a batch of 130 000 records is read", async () => {
  const { send, read } = await createCompressed();
  await send(
    CompressionTypes.ZSTD,
    Array.from({ length: 130_000 }, () => Buffer.from("x")),
  );

  expect(await read()).toHaveLength(130_000);
});
