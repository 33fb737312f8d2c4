import { createRequire } from "node:module";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { createRandom } from "../../../../../../services/cli/demo/scene/random.ts";
import { useBoundedBatches } from "../../../../../../services/common/kafka/internals/bounded-batches.ts";
import { decodeBatches } from "../../../../../../services/common/kafka/internals/decode-batches.ts";
import { useFetchedOffsets } from "../../../../../../services/common/kafka/internals/passed-batches.ts";
import { encodeBatch } from "../../../../../../services/common/kafka/internals/record-batch.ts";
import { encodeRecord } from "../../../../../../services/common/kafka/internals/records.ts";
import { whyUnreadable } from "../../../../../../services/common/kafka/internals/unreadable.ts";
import javaBatches from "./java-batches.json" with { type: "json" };

const require = createRequire(import.meta.url);
const Decoder = require("kafkajs/src/protocol/decoder.js");
const kafkajsDecoder: (
  decoder: unknown,
) => Promise<{ records: unknown[] }> = require("kafkajs/src/protocol/recordBatch/v0/decoder.js");

const KafkajsBatch: new (
  topic: string,
  fetchedFrom: string,
  data: object,
) => {
  readonly messages: readonly { readonly offset: string }[];
  firstOffset(): string | null;
  lastOffset(): string;
} = require("kafkajs/src/consumer/batch.js");

type Compressed = keyof typeof javaBatches;
const CODECS = ["gzip", "snappy", "lz4", "zstd"] as const satisfies readonly Compressed[];
const CODEC_NUMBER = { gzip: 1, snappy: 2, lz4: 3, zstd: 4 } as const;
const fromJava = (codec: Compressed) => Buffer.from(javaBatches[codec], "base64");

const FETCHED = "kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js";
const HEAD_BYTES = 61;
const MAX_BYTES = 16 * 1024 * 1024;

/** The 60 records that kafka-clients 4.1 wrote, with MemoryRecords.withRecords. */
function javaRecord(i: number) {
  let value = "";
  for (let j = 0; j <= i % 7; j++) value += `{"track":"t${(i * 7919) % 1000}","x":${j * i}}`;
  return {
    offset: String(100 + i),
    timestamp: String(1_700_000_000_000 + i),
    key: i % 5 === 0 ? null : `camera-${i % 3}`,
    value,
  };
}

const plain = (count: number, firstOffset = 0, value = "x") =>
  encodeBatch({
    firstOffset,
    lastOffsetDelta: count - 1,
    records: Array.from({ length: count }, (_, offsetDelta) => encodeRecord({ offsetDelta, key: "k", value })),
  }).buf;

/** A batch of three records that says it is compressed. */
function packed(codec: number, bytes: Buffer, firstOffset: number): Buffer {
  const head = Buffer.from(plain(3, firstOffset).subarray(0, HEAD_BYTES));
  head.writeInt32BE(HEAD_BYTES - 12 + bytes.length, 8);
  head.writeInt16BE(codec, 21);
  return Buffer.concat([head, bytes]);
}

test.each(CODECS)("a batch that the Java client compressed with %s is read", async (codec) => {
  const records = await decodeBatches(fromJava(codec));

  const read = records.map(({ offset, timestamp, key, value }) => ({
    offset,
    timestamp,
    key: key?.toString() ?? null,
    value: value?.toString(),
  }));
  expect(read).toEqual(Array.from({ length: 60 }, (_, i) => javaRecord(i)));
});

test("a batch as librdkafka compresses it with snappy, one block without a head, is read", async () => {
  const java = fromJava("snappy").subarray(HEAD_BYTES);
  const block = java.subarray(20, 20 + java.readUInt32BE(16));
  const head = Buffer.from(fromJava("snappy").subarray(0, HEAD_BYTES));
  head.writeInt32BE(HEAD_BYTES - 12 + block.length, 8);

  const records = await decodeBatches(Buffer.concat([head, block]));

  expect(records.map(({ value }) => value?.toString())).toEqual(
    Array.from({ length: 60 }, (_, i) => javaRecord(i).value),
  );
});

test("records are as kafkajs decodes them", async () => {
  const headers = { ce_type: "1", ce_logid: ["a", "b", "c"], ce_loglostend: Buffer.from([0, 255]) };
  const fields = [
    { offsetDelta: 0, key: null, value: "a", headers },
    { offsetDelta: 200, timestampDelta: 2 ** 40, key: "ü", value: null },
    { offsetDelta: 70_000, timestampDelta: -5, key: "", value: Buffer.alloc(300, 7) },
  ];
  const batch = encodeBatch({
    firstOffset: 2 ** 40,
    lastOffsetDelta: 70_000,
    firstTimestamp: 1_700_000_000_000,
    producerId: 77,
    producerEpoch: 3,
    transactional: true,
    records: fields.map(encodeRecord),
  }).buf;

  const { records } = await kafkajsDecoder(new Decoder(batch));

  const asOurs = records.map((record) => Object.assign({ retainedBytes: expect.any(Number) }, record));
  expect(await decodeBatches(batch)).toEqual(asOurs);
  expect(records).toHaveLength(3);
});

/** 15 literal bytes or fewer, then repetitions: of 255 bytes for each byte. */
const lz4Bomb = () => {
  const block = Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), Buffer.alloc(70_000, 255), Buffer.from([0])]);
  const head = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 0, 0, 0, 0]);
  head.writeUInt32LE(block.length, 7);
  return Buffer.concat([head, block, Buffer.alloc(4)]);
};
const snappyBomb = () => {
  const copies = Buffer.alloc(3 * 300_000);
  for (let at = 0; at < copies.length; at += 3) copies.set([0xfe, 1, 0], at);
  return Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0x0f, 0x00, 0x61]), copies]);
};
const BOMBS = {
  gzip: () => gzipSync(Buffer.alloc(MAX_BYTES + 1)),
  snappy: snappyBomb,
  lz4: lz4Bomb,
  zstd: () => zstdCompressSync(Buffer.alloc(MAX_BYTES + 1)),
};

test.each(CODECS)(
  "a %s batch that becomes too large costs only that batch, and is told with its offsets",
  async (codec) => {
    const bomb = BOMBS[codec]();
    expect(bomb.length).toBeLessThan(MAX_BYTES / 10);

    const records = await decodeBatches(Buffer.concat([plain(2), packed(CODEC_NUMBER[codec], bomb, 2), plain(1, 5)]));

    expect(records.map(({ offset }) => offset)).toEqual(["0", "1", "4", "5"]);
    const reasons = records.map(({ value }) => whyUnreadable(value));
    expect(reasons[2]).toMatch(/^the batch of the offsets 2 to 4 cannot be read: it has more than 16777216 bytes/);
    expect(reasons.filter((reason) => reason !== undefined)).toHaveLength(1);
  },
);

test("a codec that nobody has is told, and records that are not as long as they say", async () => {
  const shortened = Buffer.from(plain(3, 9));
  shortened.writeUInt8(200, HEAD_BYTES);

  const records = await decodeBatches(Buffer.concat([packed(6, Buffer.alloc(9), 0), shortened, plain(1, 12)]));

  expect(records.map(({ offset, value }) => [offset, whyUnreadable(value)])).toEqual([
    ["2", "the batch of the offsets 0 to 2 cannot be read: no codec 6"],
    ["11", expect.stringMatching(/^the batch of the offsets 9 to 11 cannot be read: /)],
    ["12", undefined],
  ]);
});

test("130 000 records of one batch are read, and more than 250 000 are refused", async () => {
  expect(await decodeBatches(plain(130_000))).toHaveLength(130_000);
  expect((await decodeBatches(plain(250_001))).map(({ offset }) => offset)).toEqual(["250000"]);
});

test("an answer of many large batches is read as far as memory allows; the rest is fetched again", async () => {
  const large = packed(1, gzipSync(plain(3, 0, "y".repeat(2 * 1024 * 1024)).subarray(HEAD_BYTES)), 0);

  const records = await decodeBatches(Buffer.concat(Array.from({ length: 40 }, () => large)));

  expect(records.length).toBe(9);
});

/** Compaction has left these offsets of a batch of ten. */
const compacted = (firstOffset: number, left: readonly number[]) =>
  encodeBatch({
    firstOffset,
    lastOffsetDelta: 9,
    records: left.map((offsetDelta) => encodeRecord({ offsetDelta, key: "k", value: "x" })),
  }).buf;

/** A batch of kafkajs: `fetchedFrom` is the offset that was asked for. */
async function fetched(answer: Buffer, fetchedFrom: number) {
  useFetchedOffsets();
  const messages = await decodeBatches(answer);
  const data = { partition: 0, highWatermark: "900", abortedTransactions: [], messages };
  const batch = new KafkajsBatch("t", String(fetchedFrom), data);
  const offsets = batch.messages.map(({ offset }) => Number(offset));
  return { offsets, first: Number(batch.firstOffset()), last: Number(batch.lastOffset()) };
}

test.each<[string, readonly number[], number, readonly number[]]>([
  ["without its last record", [0, 3, 7], 100, [100, 103, 107]],
  ["without its last record, from behind that which is left", [0, 3, 7], 108, []],
  ["without any record", [], 100, []],
  ["without any record, from its middle", [], 105, []],
  ["without any record, from before it", [], 90, []],
])("kafkajs goes on behind a batch that compaction has left %s", async (_, left, from, offsets) => {
  expect(await fetched(compacted(100, left), from)).toEqual({ offsets, first: from, last: 109 });
});

test("a batch that has its last record is followed by no mark", async () => {
  expect((await decodeBatches(compacted(100, [2, 9]))).map(({ offset }) => offset)).toEqual(["102", "109"]);
});

/** kafkajs' decoder over the batches of one partition after another, each after its length. */
function answerOf(partition: Buffer, times: number) {
  const length = Buffer.alloc(4);
  length.writeInt32BE(partition.length);
  return new Decoder(Buffer.concat(Array.from({ length: times }, () => [length, partition]).flat()));
}

test.each<[string, () => Buffer, number]>([
  ["64 MiB", () => packed(1, gzipSync(plain(3, 0, "y".repeat(5 * 1024 * 1024)).subarray(HEAD_BYTES)), 0), 5],
  ["400 000 records", () => plain(101_000), 4],
])("once an answer has given %s, its other partitions wait for the next one", async (_, partition, given) => {
  useBoundedBatches();
  const decodeMessages: (decoder: unknown) => Promise<unknown[]> = require(FETCHED);
  const answer = answerOf(partition(), 7);

  const counts = [];
  for (let i = 0; i < 7; i++) counts.push((await decodeMessages(answer)).length);

  expect(counts.map((count) => count > 0)).toEqual(Array.from({ length: 7 }, (_each, i) => i < given));
  expect((await decodeMessages(answerOf(partition(), 1))).length).toBeGreaterThan(0);
});

test.each<[string, () => Buffer]>([
  ["many records", () => plain(130_000)],
  ["small batches", () => Buffer.concat(Array.from({ length: 500 }, () => plain(100)))],
  [
    "headers",
    () => encodeBatch({ records: Array.from({ length: 100 }, () => encodeRecord({ headers: namesOf(1_000) })) }).buf,
  ],
])("other work has its turn while %s are decoded", async (_, batches) => {
  const bytes = batches();
  let turns = 0;
  const onTurn = () => {
    turns += 1;
    turning = setImmediate(onTurn);
  };
  let turning = setImmediate(onTurn);

  await decodeBatches(bytes);
  clearImmediate(turning);

  expect(turns).toBeGreaterThan(8);
});

test("a batch that the broker has cut off is left for the next fetch", async () => {
  const batches = Buffer.concat([plain(2), plain(2, 2)]);

  expect(await decodeBatches(batches.subarray(0, -1))).toHaveLength(2);
  expect(await decodeBatches(batches.subarray(0, plain(2).length + 10))).toHaveLength(2);
});

test("records tell how much of a buffer they hold, however short they are themselves", async () => {
  const headers = { note: Buffer.alloc(1024 * 1024) };
  const long = encodeBatch({ records: [encodeRecord({ value: "x", headers })] }).buf;
  const many = gzipSync(plain(1_000, 0, "y".repeat(10_000)).subarray(HEAD_BYTES));
  const packedMany = packed(1, many, 0);
  packedMany.writeInt32BE(1_000, 57);

  const answer = Buffer.concat([plain(2), long, packedMany, Buffer.alloc(1024 * 1024)]);
  const records = await decodeBatches(answer);

  expect(records[0]?.retainedBytes).toBeLessThan(20);
  expect(records[2]?.retainedBytes).toBeGreaterThan(1024 * 1024);
  const held = records.slice(3).reduce((sum, { retainedBytes }) => sum + retainedBytes, 0);
  expect(held).toBeGreaterThan(10_000_000);
  expect(records.filter(({ value }) => value?.buffer === answer.buffer)).toEqual([]);
  for (const { value } of records.slice(2)) expect(value?.buffer.byteLength).toBeLessThan(10_100_000);
});

test("a record has the headers that are read, and no others", async () => {
  const headers = { ce_id: "1", ce_type: "T", ce_logid: null, traceparent: "x", [`ce_${"y".repeat(90_000)}`]: "" };
  const batch = encodeBatch({ records: [encodeRecord({ value: "x", headers })] }).buf;

  const [record] = await decodeBatches(batch);

  expect(record?.headers).toEqual({ ce_type: Buffer.from("T"), ce_logid: undefined });
});

const ATTRIBUTES_AT = 21;
const LOG_APPEND_TIME = 8;

test("only a message that has the time of its writer is a copy", async () => {
  const headers = { ce_type: "T", ce_copiedfrom: "0/7" };
  const copied = encodeBatch({ records: [encodeRecord({ value: "x", headers })] }).buf;
  const sent = Buffer.from(copied);
  sent.writeInt16BE(LOG_APPEND_TIME, ATTRIBUTES_AT);

  const records = await decodeBatches(Buffer.concat([copied, sent]));

  expect(records.map((record) => Object.keys(record.headers))).toEqual([["ce_type", "ce_copiedfrom"], ["ce_type"]]);
});

const namesOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`h${i}`, ""]));

test("a record of more than 1 000 headers is refused, and the other records of its batch are read", async () => {
  const fields = [
    { offsetDelta: 0, value: "a", headers: namesOf(1_000) },
    { offsetDelta: 1, value: "b", headers: namesOf(1_001) },
    { offsetDelta: 2, value: "c", headers: { h: Array.from({ length: 800_000 }, () => "") } },
    { offsetDelta: 3, value: "d" },
  ];
  const batch = encodeBatch({ lastOffsetDelta: 3, records: fields.map(encodeRecord) }).buf;

  const records = await decodeBatches(batch);

  expect(records.map(({ offset, value }) => [offset, whyUnreadable(value) ?? value?.toString()])).toEqual([
    ["0", "a"],
    ["1", "the record has 1001 headers, more than 1000"],
    ["2", "the record has 800000 headers, more than 1000"],
    ["3", "d"],
  ]);
});

test("a batch of more than 1 000 000 headers costs that batch alone", async () => {
  const headers = { h: Array.from({ length: 1_000 }, () => "") };
  const records = Array.from({ length: 1_001 }, (_, offsetDelta) => encodeRecord({ offsetDelta, value: "x", headers }));
  const batch = encodeBatch({ lastOffsetDelta: 1_000, records }).buf;

  const read = await decodeBatches(Buffer.concat([batch, plain(1, 1_001)]));

  expect(read.map(({ offset, value }) => [offset, whyUnreadable(value)])).toEqual([
    ["1000", "the batch of the offsets 0 to 1000 cannot be read: it has more than 1000000 headers"],
    ["1001", undefined],
  ]);
});

test.each(CODECS)("bytes of a %s batch that are not as they were make no reader fail", async (codec) => {
  const { below } = createRandom(7);
  for (let run = 0; run < 200; run++) {
    const broken = Buffer.from(fromJava(codec));
    for (let i = 0; i < 3; i++) broken.writeUInt8(below(256), HEAD_BYTES + below(broken.length - HEAD_BYTES));

    const records = await decodeBatches(Buffer.concat([broken, plain(1, 160)]));

    expect(records.at(-1)?.offset).toBe("160");
  }
});
