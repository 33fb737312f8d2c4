// Decodes the batches in a broker's answer, instead of kafkajs' own function. That one supports no compression but
// gzip, decompresses without a limit, and fails for a batch of 130 000 records. A batch that cannot be read becomes one
// message with the reason, at the batch's last offset; the batches before and after it are read.
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../../../schemas/errors.ts";
import { MIB } from "../../../../schemas/units.ts";
import { type BatchContext, type DecodedRecord, RecordReader } from "./decode-record.ts";
import { inflate, isShortOfMemory, TooLarge } from "./inflate.ts";
import { BATCH_HEAD_BYTES, TRANSACTIONAL } from "./record-batch.ts";
import { unreadableValue } from "./unreadable.ts";

const LENGTH_AT = 8;
const CODEC = 0x7;
const LOG_APPEND_TIME = 0x8;
const CONTROL = 0x20;

/** Limit of a decompressed batch: twice the size of the largest message of a topic. */
const MAX_BATCH_BYTES = 16 * MIB;
/**
 * This number of records takes 100 MB, together with the objects that kafkajs and the inboxes keep for each of them.
 */
const MAX_BATCH_RECORDS = 250_000;
/** After this amount of one partition, the rest of the answer is not decoded, and is fetched again. */
const ENOUGH: Decoded = { bytes: 16 * MIB, records: 100_000 };
/**
 * The same for all partitions of one answer together. kafkajs requests them in a random order, so none of them is
 * always last.
 */
const ENOUGH_OF_ANSWER: Decoded = { bytes: 64 * MIB, records: 400_000 };
/** Records and headers after which other work gets a turn of the event loop. */
const STEPS = 4_096;

interface Decoded {
  readonly bytes: number;
  readonly records: number;
}

/** Amount that has been decoded of one answer of a broker. */
export interface AnswerSoFar {
  bytes: number;
  records: number;
  /** Records and headers since other work had its turn. */
  steps: number;
}

export const newAnswer = (): AnswerSoFar => {
  return { bytes: 0, records: 0, steps: 0 };
};

const isEnough = (decoded: Decoded, { bytes, records }: Decoded) =>
  decoded.bytes >= bytes || decoded.records >= records;

/**
 * Decodes the batches of one partition. Returns nothing when the earlier partitions of the answer have given enough.
 * @param bytes batches of the form that Kafka has had since 0.11, the last one perhaps cut off
 */
export async function decodeBatches(bytes: Buffer, answer = newAnswer()): Promise<DecodedRecord[]> {
  const found: DecodedRecord[] = [];
  let decoded = 0;
  for (let at = 0; at + BATCH_HEAD_BYTES <= bytes.length && !isEnough(answer, ENOUGH_OF_ANSWER); ) {
    const end = at + LENGTH_AT + 4 + bytes.readInt32BE(at + LENGTH_AT);
    if (end > bytes.length || end < at + BATCH_HEAD_BYTES) break;
    const batch = bytes.subarray(at, end);
    const context = contextOf(batch);
    const { size, records } = await readBatch(batch, context, answer);
    for (const record of records) found.push(record);
    decoded += size;
    answer.bytes += size;
    answer.records += records.length;
    at = end;
    if (isEnough({ bytes: decoded, records: found.length }, ENOUGH)) break;
  }
  return found;
}

function contextOf(batch: Buffer): BatchContext {
  const attributes = batch.readInt16BE(21);
  return {
    firstOffset: String(batch.readBigInt64BE(0)),
    partitionLeaderEpoch: batch.readInt32BE(12),
    magicByte: batch.readInt8(16),
    timestampType: (attributes & LOG_APPEND_TIME) === 0 ? 0 : 1,
    inTransaction: (attributes & TRANSACTIONAL) !== 0,
    isControlBatch: (attributes & CONTROL) !== 0,
    lastOffsetDelta: batch.readInt32BE(23),
    firstTimestamp: String(batch.readBigInt64BE(27)),
    maxTimestamp: String(batch.readBigInt64BE(35)),
    producerId: String(batch.readBigInt64BE(43)),
    producerEpoch: batch.readInt16BE(51),
    firstSequence: batch.readInt32BE(53),
  };
}

interface ReadBatch {
  readonly size: number;
  readonly records: readonly DecodedRecord[];
}

async function readBatch(batch: Buffer, context: BatchContext, answer: AnswerSoFar): Promise<ReadBatch> {
  try {
    return await readRecords(batch, context, answer);
  } catch (error) {
    // A shortage of memory is not the fault of the batch, so the batch is fetched again.
    if (isShortOfMemory(error)) throw error;
    return { size: batch.length, records: [unreadable(context, messageOf(error))] };
  }
}

async function readRecords(batch: Buffer, context: BatchContext, answer: AnswerSoFar): Promise<ReadBatch> {
  const codec = batch.readInt16BE(21) & CODEC;
  const count = batch.readInt32BE(57);
  if (count > MAX_BATCH_RECORDS) throw new TooLarge(`it has ${count} records, more than ${MAX_BATCH_RECORDS}`);
  const packed = batch.subarray(BATCH_HEAD_BYTES);
  const bytes = alone(codec === 0 ? packed : await inflate(codec, packed, MAX_BATCH_BYTES));
  const reader = new RecordReader(bytes, count);
  const records: DecodedRecord[] = [];
  for (let i = 0; i < count; i++) {
    records.push(reader.next(context));
    answer.steps += 1 + reader.lastHeaders;
    if (answer.steps < STEPS) continue;
    answer.steps = 0;
    await setImmediate();
  }
  const last = lastOffsetOf(context);
  if (Number(records.at(-1)?.offset ?? -1) < Number(last)) records.push(passed(context, last));
  return { size: bytes.length, records };
}

/**
 * Copies a view: the records of a batch must not keep the whole answer of the broker, or the unused part of a
 * decompressor's buffer.
 */
const alone = (bytes: Buffer): Buffer => (bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(bytes));

const lastOffsetOf = ({ firstOffset, lastOffsetDelta }: BatchContext) => String(Number(firstOffset) + lastOffsetDelta);

/**
 * Returns a control record, which readers do not receive, at the last offset of a batch. Compaction removes records,
 * perhaps the last one or all, but leaves the batch its offsets. kafkajs continues after the last record that it
 * receives, so without the control record it would fetch the same batch again.
 */
function passed(batchContext: BatchContext, offset: string): DecodedRecord {
  const { maxTimestamp: timestamp, magicByte } = batchContext;
  const nothing = { key: null, value: null, headers: {}, retainedBytes: 0 };
  return { ...nothing, magicByte, attributes: 0, timestamp, offset, isControlRecord: true, batchContext };
}

function unreadable(batchContext: BatchContext, why: string): DecodedRecord {
  const { firstOffset, maxTimestamp, magicByte } = batchContext;
  const offset = lastOffsetOf(batchContext);
  const value = unreadableValue(`the batch of the offsets ${firstOffset} to ${offset} cannot be read: ${why}`);
  const at = { magicByte, attributes: 0, timestamp: maxTimestamp, offset };
  return { ...at, key: null, value, headers: {}, isControlRecord: false, batchContext, retainedBytes: value.length };
}
