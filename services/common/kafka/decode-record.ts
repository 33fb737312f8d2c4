// Decodes one record of a batch as kafkajs does, but only the headers that somebody reads: kafkajs copies all headers of
// a record for each of them, and a record of many headers stops the process for minutes.
import type { IHeaders } from "kafkajs";
import { READ_HEADERS } from "../../../schemas/headers.ts";
import { TooLarge } from "./inflate.ts";
import { unreadableValue } from "./unreadable.ts";

type HeaderValues = Record<string, IHeaders[string]>;

export interface BatchContext {
  readonly firstOffset: string;
  readonly firstTimestamp: string;
  readonly maxTimestamp: string;
  /** 1 when the broker gave the time. */
  readonly timestampType: number;
  readonly isControlBatch: boolean;
  readonly magicByte: number;
  readonly partitionLeaderEpoch: number;
  readonly inTransaction: boolean;
  readonly lastOffsetDelta: number;
  readonly producerId: string;
  readonly producerEpoch: number;
  readonly firstSequence: number;
}

/** kafkajs' message, before it leaves out those of aborted transactions. */
export interface DecodedRecord {
  readonly magicByte: number;
  readonly attributes: number;
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: HeaderValues;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
  /** Its part of the buffer that it keeps from being freed, and what it has beyond that. */
  readonly heldBytes: number;
}

export const LOG_APPEND_TIME = 1;

/** A record with more is refused, and stands in the log as one that cannot be read. */
const MAX_HEADERS = 1_000;
/** Of all records of a batch, four for each of the most records. */
const MAX_BATCH_HEADERS = 1_000_000;

/** Memory of a header's value beside its bytes. */
const HEADER_BYTES = 100;

const readNames: ReadonlySet<string> = new Set(READ_HEADERS);
const LONGEST_NAME = Math.max(...READ_HEADERS.map((name) => name.length));

/** A place in the records of a batch. Its methods throw when the records end before what they read. */
export class RecordReader {
  readonly #buf: Buffer;
  #at: number;
  /** Headers of the record that was read last. */
  lastHeaders = 0;
  /** Headers of all records so far. */
  #headerCount = 0;
  /** Those of them that were kept. */
  #keptHeaders = 0;
  readonly #share: number;

  /** `count`: how many records are to be read. They hold the buffer together. */
  constructor(buf: Buffer, count: number) {
    this.#buf = buf;
    this.#at = 0;
    this.#share = Math.ceil(buf.length / Math.max(count, 1));
  }

  /** https://kafka.apache.org/documentation/#record */
  next(batchContext: BatchContext): DecodedRecord {
    const length = this.#varint();
    const end = length + this.#at;
    const keptBefore = this.#keptHeaders;
    const attributes = this.#buf.readInt8(this.#at++);
    const timestampDelta = this.#varint();
    const offsetDelta = this.#varint();
    const key = this.#bytes();
    const sent = this.#bytes();
    const count = this.#varint();
    this.lastHeaders = count > MAX_HEADERS ? 0 : count;
    const isRefused = count > MAX_HEADERS;
    const headers = isRefused ? {} : this.#headers(count);
    const value = isRefused ? unreadableValue(`the record has ${count} headers, more than ${MAX_HEADERS}`) : sent;
    if (isRefused) this.#skipTo(end);
    if (this.#at !== end) throw new Error("a record is not as long as it says");
    const { firstOffset, firstTimestamp, maxTimestamp, timestampType, magicByte, isControlBatch } = batchContext;
    const timestamp =
      timestampType === LOG_APPEND_TIME ? maxTimestamp : String(Number(firstTimestamp) + timestampDelta);
    const offset = String(Number(firstOffset) + offsetDelta);
    const isControlRecord = isControlBatch;
    const heldBytes = Math.max(length, this.#share) + (this.#keptHeaders - keptBefore) * HEADER_BYTES;
    return { magicByte, attributes, timestamp, offset, key, value, headers, isControlRecord, batchContext, heldBytes };
  }

  #headers(count: number): HeaderValues {
    if (count < 0) throw new Error("a number of headers is negative");
    this.#headerCount += count;
    if (this.#headerCount > MAX_BATCH_HEADERS) throw new TooLarge(`it has more than ${MAX_BATCH_HEADERS} headers`);
    const headers: HeaderValues = {};
    for (let left = count; left > 0; left--) {
      const name = this.#name();
      const value = this.#bytes() ?? undefined;
      if (name === undefined) continue;
      this.#keptHeaders += 1;
      const before = headers[name];
      if (before === undefined) headers[name] = value;
      else if (value !== undefined) {
        if (Array.isArray(before)) before.push(value);
        else headers[name] = [before, value];
      }
    }
    return headers;
  }

  /** undefined for the name of a header that nobody reads. */
  #name(): string | undefined {
    const bytes = this.#bytes();
    if (bytes === null || bytes.length > LONGEST_NAME) return undefined;
    const name = bytes.toString();
    return readNames.has(name) ? name : undefined;
  }

  #skipTo(end: number): void {
    if (end < this.#at || end > this.#buf.length) throw new Error("a record ends early");
    this.#at = end;
  }

  /** null when it says so by a length of -1. */
  #bytes(): Buffer | null {
    const length = this.#varint();
    if (length === -1) return null;
    const from = this.#at;
    this.#at += length;
    if (length < 0 || this.#at > this.#buf.length) throw new Error("a record ends early");
    return this.#buf.subarray(from, this.#at);
  }

  /** No shifts beyond 28 bits: a difference of times may have 64. */
  #varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.#buf.readUInt8(this.#at++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 0x80;
      if (factor > 2 ** 63) throw new Error("a number is too long");
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
