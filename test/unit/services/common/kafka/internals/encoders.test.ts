import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { crc32c } from "../../../../../../services/common/kafka/internals/crc32c.ts";
import { encodeBatch, type RecordBatchFields } from "../../../../../../services/common/kafka/internals/record-batch.ts";
import { encodeRecord, type RecordFields } from "../../../../../../services/common/kafka/internals/records.ts";

// This test does not install the quick encoders.
const kafkaJs = createRequire(import.meta.url);
const encodeByKafkaJs: (fields: RecordFields) => { readonly buffer: Buffer } = kafkaJs(
  "kafkajs/src/protocol/recordBatch/record/v0/index.js",
);
const { RecordBatch: encodeBatchByKafkaJs }: { RecordBatch(fields: object): Promise<{ readonly buffer: Buffer }> } =
  kafkaJs("kafkajs/src/protocol/recordBatch/v0/index.js");

const long = "x".repeat(70_000);

const records: Readonly<Record<string, RecordFields>> = {
  "nothing at all": { key: null, value: null },
  "key and value as text": { key: "camera", value: "hello" },
  "key and value as bytes": { key: Buffer.from([0, 255]), value: Buffer.alloc(300, 7), offsetDelta: 63 },
  "an empty value": { key: "", value: Buffer.alloc(0) },
  "two-byte numbers": { key: "k", value: "v".repeat(64), offsetDelta: 64, timestampDelta: 8_192 },
  "long values and offsets": { key: long, value: Buffer.from(long), offsetDelta: 3_000_000 },
  "times a month apart": { key: "k", value: "v", timestampDelta: 30 * 86_400_000 },
  "a time before the first": { key: "k", value: "v", timestampDelta: -5 },
  headers: {
    key: "k",
    value: "v",
    headers: { ce_id: "1", ce_time: "2026-01-01T00:00:00.000Z", raw: Buffer.from([1]) },
  },
  "a repeated header": { key: "k", value: "v", headers: { a: ["1", Buffer.from("2")], b: "3" } },
  "more than ASCII": { key: "Straße", value: "😀", headers: { größe: "µ" } },
};

describe("the quick encoder of records", () => {
  it.each(Object.entries(records))("writes what kafkajs writes: %s", (_, fields) => {
    expect(encodeRecord(fields).buffer.equals(encodeByKafkaJs(fields).buffer)).toBe(true);
  });
});

const batches: Readonly<Record<string, RecordBatchFields>> = {
  "as a producer sends them": { firstTimestamp: 1_767_225_600_000, maxTimestamp: 1_767_225_600_005 },
  "with a producer's identity": {
    firstTimestamp: 1,
    maxTimestamp: 2,
    producerId: "9007199254740993",
    producerEpoch: 3,
    firstSequence: 70_000,
    transactional: true,
    partitionLeaderEpoch: 4,
    firstOffset: "5",
  },
};

describe("the quick encoder of batches", () => {
  it.each(Object.entries(batches))("writes what kafkajs writes: %s", async (_, fields) => {
    const all = Object.values(records);
    const lastOffsetDelta = all.length - 1;
    const ours = encodeBatch({ ...fields, lastOffsetDelta, records: all.map(encodeRecord) });
    const theirs = await encodeBatchByKafkaJs({ ...fields, lastOffsetDelta, records: all.map(encodeByKafkaJs) });
    expect(ours.buffer.equals(theirs.buffer)).toBe(true);
    expect(ours.size()).toBe(theirs.buffer.length);
  });

  it("knows the check value of CRC-32C", () => {
    expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
  });
});
