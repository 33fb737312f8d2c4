// Decodes one record of a batch as kafkajs does, but only the headers that a reader needs: kafkajs copies all headers
// of a record for each of them, so a record with many headers stops the process for minutes.
import type { IHeaders } from "kafkajs";
import { COPIED_FROM, READ_HEADERS } from "../../../../schemas/headers.ts";
import { TooLarge } from "./inflate.ts";
import { unreadableValue } from "./unreadable.ts";

type HeaderValues = Record<string, IHeaders[string]>;

export interface BatchContext {
  readonly firstOffset: string;
  readonly firstTimestamp: string;
  readonly maxTimestamp: string;
  /** The value 1 means that the broker gave the time. */
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

/** kafkajs' message, before kafkajs drops those of aborted transactions. */
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
  /** The record's share of the buffer that it keeps from being freed, plus the memory that it takes besides. */
  readonly retainedBytes: number;
}

export const LOG_APPEND_TIME = 1;

/** A record with more headers is refused, and becomes an unreadable message. */
const MAX_HEADERS = 1_000;
/** Maximum number of headers of all records of a batch: four for each record of a full batch. */
const MAX_BATCH_HEADERS = 1_000_000;

/** Bytes of memory that a header's value takes besides its content. */
const HEADER_BYTES = 100;

interface ReadName {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The names of the headers to keep, by their numbers of bytes: no other header costs memory while it is read. */
const readNames = new Map<number, ReadName[]>();
let keepsAll = false;
keepHeaders(READ_HEADERS);

/** Lets readers of this process keep every header, because it copies messages. */
export function keepAllHeaders(): void {
  keepsAll = true;
}

/**
 * Lets readers of this process keep the headers of these names, too. Only a process that records traces needs that of
 * the traces; every header that is kept takes memory.
 */
export function keepHeaders(names: readonly string[]): void {
  for (const name of names) {
    const bytes = Buffer.from(name);
    const others = readNames.get(bytes.length) ?? [];
    readNames.set(bytes.length, [...others, { name, bytes }]);
  }
}

/** Position in the records of a batch. Its methods throw when the records end too early. */
export class RecordReader {
  readonly #buf: Buffer;
  #at: number;
  /** Headers of the record that was read last. */
  lastHeaders = 0;
  /** Headers of all records so far. */
  #headerCount = 0;
  /** Headers that were kept so far. */
  #keptHeaders = 0;
  readonly #share: number;

  /** `count` is the number of records in the buffer. Together they keep the buffer in memory. */
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
    // Only topics that are filled keep the times of their writers. Elsewhere every producer could name its messages
    // copies, and switch their outputs off.
    if (batchContext.timestampType === LOG_APPEND_TIME) delete headers[COPIED_FROM];
    const value = isRefused ? unreadableValue(`the record has ${count} headers, more than ${MAX_HEADERS}`) : sent;
    if (isRefused) this.#skipTo(end);
    if (this.#at !== end) throw new Error("a record is not as long as it says");
    const { firstOffset, firstTimestamp, maxTimestamp, timestampType, magicByte, isControlBatch } = batchContext;
    const timestamp =
      timestampType === LOG_APPEND_TIME ? maxTimestamp : String(Number(firstTimestamp) + timestampDelta);
    const offset = String(Number(firstOffset) + offsetDelta);
    const isControlRecord = isControlBatch;
    const retainedBytes = Math.max(length, this.#share) + (this.#keptHeaders - keptBefore) * HEADER_BYTES;
    return {
      magicByte,
      attributes,
      timestamp,
      offset,
      key,
      value,
      headers,
      isControlRecord,
      batchContext,
      retainedBytes,
    };
  }

  #headers(count: number): HeaderValues {
    if (count < 0) throw new Error("a number of headers is negative");
    this.#headerCount += count;
    if (this.#headerCount > MAX_BATCH_HEADERS) throw new TooLarge(`it has more than ${MAX_BATCH_HEADERS} headers`);
    // A writer may call a header "constructor" or "__proto__".
    const headers: HeaderValues = keepsAll ? Object.create(null) : {};
    for (let left = count; left > 0; left--) {
      const name = this.#name();
      if (name === undefined) {
        this.#pass();
        continue;
      }
      const value = this.#bytes() ?? undefined;
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

  /** @returns undefined when no reader needs the header of this name. */
  #name(): string | undefined {
    const length = this.#pass();
    if (length === -1) return undefined;
    const from = this.#at - length;
    if (keepsAll) return this.#buf.toString("utf8", from, this.#at);
    return readNames.get(length)?.find(({ bytes }) => this.#buf.compare(bytes, 0, length, from, this.#at) === 0)?.name;
  }

  #skipTo(end: number): void {
    if (end < this.#at || end > this.#buf.length) throw new Error("a record ends early");
    this.#at = end;
  }

  /** @returns null when the length is -1. */
  #bytes(): Buffer | null {
    const length = this.#pass();
    return length === -1 ? null : this.#buf.subarray(this.#at - length, this.#at);
  }

  /** Passes bytes that begin with their number. @returns the number, -1 when there are none. */
  #pass(): number {
    const length = this.#varint();
    if (length === -1) return length;
    this.#at += length;
    if (length < 0 || this.#at > this.#buf.length) throw new Error("a record ends early");
    return length;
  }

  /** Avoids shifts beyond 28 bits: a difference of times may have 64. */
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
