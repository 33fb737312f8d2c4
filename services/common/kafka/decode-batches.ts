// Decodes the batches in a broker's answer, in the place of kafkajs' own function: that one knows no compression but gzip,
// unpacks without a bound, and fails for a batch of 130 000 records. A batch that cannot be read becomes one message
// that says so, at the batch's last offset; what is before and behind it is read.
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../../schemas/errors.ts";
import { type BatchContext, type DecodedRecord, RecordReader } from "./decode-record.ts";
import { inflate, isShortOfMemory, TooLarge } from "./inflate.ts";
import { unreadableValue } from "./unreadable.ts";

const HEAD_BYTES = 61;
const LENGTH_AT = 8;
const CODEC = 0x7;
const LOG_APPEND_TIME = 0x8;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;

/** Twice as much as the largest message of a topic. */
const MAX_BATCH_BYTES = 16 * 1024 * 1024;
/** With what kafkajs and the inboxes keep of each, 100 MB. */
const MAX_BATCH_RECORDS = 250_000;
/** Of one partition in one answer. What lies behind is fetched again. */
const ENOUGH: Decoded = { bytes: 16 * 1024 * 1024, records: 100_000 };
/** Of all partitions in one answer. kafkajs asks for them in an order by chance, so each of them is the first at times. */
const ENOUGH_OF_ANSWER: Decoded = { bytes: 64 * 1024 * 1024, records: 400_000 };
/** Records and headers between which other work gets its turn. */
const STEPS = 4_096;

interface Decoded {
  readonly bytes: number;
  readonly records: number;
}

/** What has been decoded of one answer of a broker. */
export interface AnswerSoFar {
  bytes: number;
  records: number;
  /** Since other work had its turn. */
  steps: number;
}

export const newAnswer = (): AnswerSoFar => {
  return { bytes: 0, records: 0, steps: 0 };
};

const isEnough = (decoded: Decoded, { bytes, records }: Decoded) =>
  decoded.bytes >= bytes || decoded.records >= records;

/**
 * Of one partition; nothing when the partitions before it in the answer have given enough.
 * @param bytes batches of the form that Kafka has had since 0.11, the last one perhaps cut off
 */
export async function decodeBatches(bytes: Buffer, answer = newAnswer()): Promise<DecodedRecord[]> {
  const found: DecodedRecord[] = [];
  let decoded = 0;
  for (let at = 0; at + HEAD_BYTES <= bytes.length && !isEnough(answer, ENOUGH_OF_ANSWER); ) {
    const end = at + LENGTH_AT + 4 + bytes.readInt32BE(at + LENGTH_AT);
    if (end > bytes.length || end < at + HEAD_BYTES) break;
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
    // The batch may be good: it is fetched again.
    if (isShortOfMemory(error)) throw error;
    return { size: batch.length, records: [unreadable(context, messageOf(error))] };
  }
}

async function readRecords(batch: Buffer, context: BatchContext, answer: AnswerSoFar): Promise<ReadBatch> {
  const codec = batch.readInt16BE(21) & CODEC;
  const count = batch.readInt32BE(57);
  if (count > MAX_BATCH_RECORDS) throw new TooLarge(`it has ${count} records, more than ${MAX_BATCH_RECORDS}`);
  const packed = batch.subarray(HEAD_BYTES);
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

/** The records of a batch must not keep the whole answer of the broker, or the spare room of a decompressor. */
const alone = (bytes: Buffer): Buffer => (bytes.length === bytes.buffer.byteLength ? bytes : Buffer.from(bytes));

const lastOffsetOf = ({ firstOffset, lastOffsetDelta }: BatchContext) => String(Number(firstOffset) + lastOffsetDelta);

/**
 * Compaction removes records, also the last one and all, but leaves the batch its offsets. kafkajs goes on behind the
 * last record that it gets, and would fetch the same batch again. A mark of the broker's, which readers do not get, takes it on.
 */
function passed(batchContext: BatchContext, offset: string): DecodedRecord {
  const { maxTimestamp: timestamp, magicByte } = batchContext;
  const nothing = { key: null, value: null, headers: {}, heldBytes: 0 };
  return { ...nothing, magicByte, attributes: 0, timestamp, offset, isControlRecord: true, batchContext };
}

function unreadable(batchContext: BatchContext, why: string): DecodedRecord {
  const { firstOffset, maxTimestamp, magicByte } = batchContext;
  const offset = lastOffsetOf(batchContext);
  const value = unreadableValue(`the batch of the offsets ${firstOffset} to ${offset} cannot be read: ${why}`);
  const at = { magicByte, attributes: 0, timestamp: maxTimestamp, offset };
  return { ...at, key: null, value, headers: {}, isControlRecord: false, batchContext, heldBytes: value.length };
}
