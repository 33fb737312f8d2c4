// Encodes the messages of one partition as kafkajs does, byte for byte, but in one buffer of the right size. kafkajs'
// own encoder doubles its buffer as it fills, and copies everything twice.
import { crc32c } from "./crc32c.ts";
import type { Encoded } from "./records.ts";

export interface RecordBatchFields {
  /** A bit mask; its lowest bits are not 0 when the records must be compressed. */
  readonly compression?: number;
  /** Numbers of 64 bits are a number, a text, or an object that prints as one. */
  readonly firstOffset?: unknown;
  readonly firstTimestamp?: number;
  readonly maxTimestamp?: number;
  readonly partitionLeaderEpoch?: number;
  readonly lastOffsetDelta?: number;
  readonly transactional?: boolean;
  readonly producerId?: unknown;
  readonly producerEpoch?: number;
  readonly firstSequence?: number;
  readonly records?: readonly Encoded[];
}

export interface EncodedBatch extends Encoded {
  size(): number;
}

const MAGIC = 2;
/** Bit of the attributes. */
export const TRANSACTIONAL = 0x10;
export const BATCH_HEAD_BYTES = 61;
const CRC_AT = 17;
const ATTRIBUTES_AT = 21;

/** Encodes without compression: https://kafka.apache.org/documentation/#recordbatch */
export function encodeBatch(fields: RecordBatchFields): EncodedBatch {
  const { firstTimestamp = Date.now(), maxTimestamp = firstTimestamp, records = [] } = fields;
  const buf = Buffer.allocUnsafe(records.reduce((size, { buf: { length } }) => size + length, BATCH_HEAD_BYTES));
  let at = buf.writeBigInt64BE(wide(fields.firstOffset, 0n));
  at = buf.writeInt32BE(buf.length - at - 4, at);
  at = buf.writeInt32BE(fields.partitionLeaderEpoch ?? 0, at);
  buf.writeInt8(MAGIC, at);
  at = buf.writeInt16BE(fields.transactional ? TRANSACTIONAL : 0, ATTRIBUTES_AT);
  at = buf.writeInt32BE(fields.lastOffsetDelta ?? 0, at);
  at = buf.writeBigInt64BE(wide(firstTimestamp, 0n), at);
  at = buf.writeBigInt64BE(wide(maxTimestamp, 0n), at);
  at = buf.writeBigInt64BE(wide(fields.producerId, -1n), at);
  at = buf.writeInt16BE(fields.producerEpoch ?? 0, at);
  at = buf.writeInt32BE(fields.firstSequence ?? 0, at);
  at = buf.writeInt32BE(records.length, at);
  for (const record of records) at += record.buf.copy(buf, at);
  buf.writeUInt32BE(crc32c(buf, ATTRIBUTES_AT), CRC_AT);
  return { buf, buffer: buf, size: () => buf.length };
}

const wide = (value: unknown, fallback: bigint): bigint => (value === undefined ? fallback : BigInt(String(value)));
