// Replaces kafkajs' encoders by ours; kafkajs' own still encodes compressed batches.
import { createRequire } from "node:module";
import { type EncodedBatch, encodeBatch, type RecordBatchFields } from "./record-batch.ts";
import { encodeRecord } from "./records.ts";

type BatchEncoder = (fields: RecordBatchFields) => Promise<EncodedBatch>;

const require = createRequire(import.meta.url);
const RECORD = "kafkajs/src/protocol/recordBatch/record/v0/index.js";
const BATCH = "kafkajs/src/protocol/recordBatch/v0/index.js";
const COMPRESSION = 0x7;

/**
 * Takes effect for the whole process, once. Must be called before the first request, with which kafkajs loads its
 * encoders.
 * @returns true when our encoders are in place.
 */
export function useQuickEncoders(): boolean {
  require(RECORD);
  const record = require.cache[require.resolve(RECORD)];
  if (record !== undefined) record.exports = encodeRecord;
  const batch: { RecordBatch: BatchEncoder } = require(BATCH);
  const byKafkaJs = batch.RecordBatch;
  batch.RecordBatch = async (fields) =>
    ((fields.compression ?? 0) & COMPRESSION) === 0 ? encodeBatch(fields) : byKafkaJs(fields);
  return require(RECORD) === encodeRecord && typeof byKafkaJs === "function";
}
