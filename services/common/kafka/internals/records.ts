// Encodes one message of a batch as kafkajs does, byte for byte, but without the zeroed buffers of 512 bytes that
// kafkajs takes for the message and for each header. With small messages those buffers, and their garbage collection,
// are most of the cost of producing.

type Bytes = Buffer | string | null | undefined;

export interface RecordFields {
  readonly offsetDelta?: number;
  /** Milliseconds after the first timestamp of the batch. */
  readonly timestampDelta?: number;
  readonly key?: Bytes;
  readonly value?: Bytes;
  readonly headers?: Readonly<Record<string, Bytes | readonly Bytes[]>>;
}

/** The members of kafkajs' Encoder that its batches use. */
export interface Encoded {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

/** Encodes a record of a batch of magic 2: https://kafka.apache.org/documentation/#record */
export function encodeRecord(fields: RecordFields): Encoded {
  const { offsetDelta = 0, timestampDelta = 0, key, value, headers = {} } = fields;
  const names = Object.keys(headers);
  let count = 0;
  let size = 1 + sizeOfVarint(timestampDelta) + sizeOfVarint(offsetDelta) + sizeOfBytes(key) + sizeOfBytes(value);
  for (const name of names) {
    for (const item of itemsOf(headers[name])) {
      count += 1;
      size += sizeOfBytes(name) + sizeOfBytes(item);
    }
  }
  size += sizeOfVarint(count);

  const buf = Buffer.allocUnsafe(sizeOfVarint(size) + size);
  let at = writeVarint(buf, size, 0);
  // Kafka defines no attributes of a record.
  buf[at++] = 0;
  at = writeVarint(buf, timestampDelta, at);
  at = writeVarint(buf, offsetDelta, at);
  at = writeBytes(buf, key, at);
  at = writeBytes(buf, value, at);
  at = writeVarint(buf, count, at);
  for (const name of names) {
    for (const item of itemsOf(headers[name])) {
      at = writeBytes(buf, name, at);
      at = writeBytes(buf, item, at);
    }
  }
  return { buf, buffer: buf };
}

type Items = readonly Bytes[];

const single: [Bytes] = [null];

function itemsOf(values: Bytes | Items): Items {
  if (Array.isArray(values)) return values;
  single[0] = values as Bytes;
  return single;
}

const lengthOf = (bytes: Buffer | string): number =>
  typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;

function sizeOfBytes(bytes: Bytes): number {
  if (bytes === null || bytes === undefined) return 1;
  const length = lengthOf(bytes);
  return sizeOfVarint(length) + length;
}

function writeBytes(buf: Buffer, bytes: Bytes, from: number): number {
  if (bytes === null || bytes === undefined) return writeVarint(buf, -1, from);
  const at = writeVarint(buf, lengthOf(bytes), from);
  return at + (typeof bytes === "string" ? buf.write(bytes, at) : bytes.copy(buf, at));
}

/** Maps n to 2n and -n - 1 to 2n + 1, without shifts, because a difference of times may exceed 32 bits. */
const zigzag = (value: number): number => (value >= 0 ? value * 2 : value * -2 - 1);

function sizeOfVarint(value: number): number {
  let bytes = 1;
  for (let rest = zigzag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
}

function writeVarint(buf: Buffer, value: number, from: number): number {
  let at = from;
  let rest = zigzag(value);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) buf[at++] = (rest % 0x80) | 0x80;
  buf[at++] = rest;
  return at;
}
