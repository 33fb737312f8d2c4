// Decompresses the records of a batch, to a limited size: 400 kB from a producer can become 200 MB. Node has gzip and
// zstd; snappy and LZ4 are decoded here, because their formats are a page each and no package limits the output.
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";

export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/**
 * True for a shortage of memory reported by zlib, zstd, Node's buffers or V8, which gives no code. A shortage is not
 * the fault of the bytes.
 */
export const isShortOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (/MEM|INITIALIZATION_FAILED/i.test(String(Reflect.get(error, "code"))) ||
    (error instanceof RangeError && error.message.includes("allocation failed")));

type Inflate = (bytes: Buffer, maxBytes: number) => Buffer | Promise<Buffer>;

const gzip = promisify(gunzip);
const zstd = promisify(zstdDecompress);

/**
 * Decompressors by the lowest three bits of a batch's attributes: https://kafka.apache.org/documentation/#recordbatch
 */
const inflaters: Readonly<Record<number, Inflate>> = {
  1: (bytes, maxOutputLength) => gzip(bytes, { maxOutputLength }),
  2: inflateSnappy,
  3: inflateLz4,
  4: (bytes, maxOutputLength) => zstd(bytes, { maxOutputLength }),
};

/** Rejects with TooLarge, or with another error when the bytes are not of this format. */
export async function inflate(codec: number, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const inflater = inflaters[codec];
  if (inflater === undefined) throw new Error(`no codec ${codec}`);
  try {
    return await inflater(bytes, maxBytes);
  } catch (error) {
    if (error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw tooLarge(maxBytes);
    throw error;
  }
}

const tooLarge = (maxBytes: number) => new TooLarge(`it has more than ${maxBytes} bytes when it is decompressed`);

/** Output that grows up to `maxBytes`. Both formats repeat bytes that were written before. */
class Output {
  #buf: Buffer;
  #length = 0;
  readonly #maxBytes: number;

  constructor(expected: number, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#buf = Buffer.allocUnsafe(Math.min(expected, maxBytes));
  }

  bytes(): Buffer {
    return this.#buf.subarray(0, this.#length);
  }

  append(from: Buffer, at: number, length: number): void {
    if (at + length > from.length) throw new Error("it ends early");
    this.#reserve(length);
    from.copy(this.#buf, this.#length, at, at + length);
    this.#length += length;
  }

  /** The repeated bytes may include bytes that this call writes. */
  repeat(distance: number, length: number): void {
    if (distance < 1 || distance > this.#length) throw new Error("it repeats what is not there");
    this.#reserve(length);
    const from = this.#length - distance;
    if (distance >= length) this.#buf.copyWithin(this.#length, from, from + length);
    else for (let i = 0; i < length; i++) this.#buf[this.#length + i] = this.#buf[from + i] ?? 0;
    this.#length += length;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed > this.#maxBytes) throw tooLarge(this.#maxBytes);
    if (needed <= this.#buf.length) return;
    const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, this.#buf.length * 2), this.#maxBytes));
    this.#buf.copy(larger, 0, 0, this.#length);
    this.#buf = larger;
  }
}

const EXPECTED_RATIO = 4;

/** Header of snappy-java's stream of blocks, which the Java client writes. librdkafka writes one block without it. */
const SNAPPY_JAVA = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const SNAPPY_JAVA_HEAD_BYTES = 16;

function inflateSnappy(bytes: Buffer, maxBytes: number): Buffer {
  const output = new Output(bytes.length * EXPECTED_RATIO, maxBytes);
  if (!bytes.subarray(0, SNAPPY_JAVA.length).equals(SNAPPY_JAVA)) snappyBlock(bytes, output);
  else {
    for (let at = SNAPPY_JAVA_HEAD_BYTES; at < bytes.length; ) {
      const end = at + 4 + bytes.readUInt32BE(at);
      snappyBlock(bytes.subarray(at + 4, end), output);
      at = end;
    }
  }
  return output.bytes();
}

/** Format: https://github.com/google/snappy/blob/main/format_description.txt */
function snappyBlock(block: Buffer, output: Output): void {
  let at = 0;
  // Skips the length of the output, which is not needed.
  while (((block[at++] ?? 0) & 0x80) !== 0);
  while (at < block.length) {
    const tag = block[at++] ?? 0;
    const kind = tag & 3;
    if (kind === 0) {
      let length = tag >> 2;
      if (length >= 60) {
        const lengthBytes = length - 59;
        length = block.readUIntLE(at, lengthBytes);
        at += lengthBytes;
      }
      output.append(block, at, length + 1);
      at += length + 1;
    } else if (kind === 1) output.repeat(((tag >> 5) << 8) | (block[at++] ?? 0), ((tag >> 2) & 7) + 4);
    else {
      const distanceBytes = kind === 2 ? 2 : 4;
      output.repeat(block.readUIntLE(at, distanceBytes), (tag >> 2) + 1);
      at += distanceBytes;
    }
  }
}

const LZ4_MAGIC = 0x184d2204;
const LZ4_RAW_BLOCK = 0x80000000;
const LZ4_LEAST_MATCH = 4;

/** Checksums are skipped, like that of a batch: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md */
function inflateLz4(bytes: Buffer, maxBytes: number): Buffer {
  if (bytes.readUInt32LE(0) !== LZ4_MAGIC) throw new Error("it is no LZ4 frame");
  const flags = bytes.readUInt8(4);
  const hasBlockChecksums = (flags & 0x10) !== 0;
  let at = 7 + ((flags & 0x08) !== 0 ? 8 : 0) + ((flags & 0x01) !== 0 ? 4 : 0);
  const output = new Output(bytes.length * EXPECTED_RATIO, maxBytes);
  for (let word = bytes.readUInt32LE(at); word !== 0; word = bytes.readUInt32LE(at)) {
    at += 4;
    const isRaw = word >= LZ4_RAW_BLOCK;
    const length = isRaw ? word - LZ4_RAW_BLOCK : word;
    if (isRaw) output.append(bytes, at, length);
    else lz4Block(bytes.subarray(at, at + length), output);
    at += length + (hasBlockChecksums ? 4 : 0);
  }
  return output.bytes();
}

/** Format: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md */
function lz4Block(block: Buffer, output: Output): void {
  let at = 0;
  const readLength = (nibble: number): number => {
    let length = nibble;
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = block.readUInt8(at++);
    return length;
  };
  while (at < block.length) {
    const token = block[at++] ?? 0;
    const literals = readLength(token >> 4);
    output.append(block, at, literals);
    at += literals;
    // The last sequence has no repetition.
    if (at >= block.length) return;
    const distance = block.readUInt16LE(at);
    at += 2;
    output.repeat(distance, readLength(token & 15) + LZ4_LEAST_MATCH);
  }
}
