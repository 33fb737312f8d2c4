// Writes an Avro object container file. A caller that awaits each write never has more than one block in memory. avsc's
// own encoder does not say at which byte a block begins.
import { createHash, randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import type avro from "avsc";
import {
  BLOCK_BYTES,
  CODEC,
  type ContainerCodec,
  headerMapType,
  longType,
  MAGIC,
  MAX_BLOCK_BYTES,
  SCHEMA,
  SYNC_BYTES,
} from "./container.ts";

export interface ContainerWriter {
  /** @returns a promise when the block is full: the caller must await it before the next record. */
  add(value: unknown): Promise<void> | undefined;
  /** Ends the block, so that the next record begins another one. */
  cut(): Promise<void>;
  /** Hex SHA-256 of all blocks so far. Must be called after `cut`. */
  sha256(): string;
  /** Bytes of the file so far. */
  bytes(): number;
}

export interface ContainerOptions {
  readonly type: avro.Type;
  readonly schema: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly codec: ContainerCodec;
}

const deflate = promisify(deflateRaw);
/** A higher level takes twice the time and saves a tenth of the bytes. */
const LEVEL = 3;

/** Writes the header of the file. The caller closes the file. */
export async function createContainerWriter(
  file: Pick<FileHandle, "write">,
  { type, schema, metadata, codec }: ContainerOptions,
): Promise<ContainerWriter> {
  const sync = randomBytes(SYNC_BYTES);
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let end = 0;
  let count = 0;
  let written = 0;

  async function write(...parts: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(parts);
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, from, bytes.length - from);
      from += bytesWritten;
    }
    hash.update(bytes);
    written += bytes.length;
  }

  async function writeBlock(records: number, data: Buffer): Promise<void> {
    if (data.length > MAX_BLOCK_BYTES) throw new Error(`a record has ${data.length} bytes, more than a block may have`);
    const packed = codec === "null" ? data : await deflate(data, { level: LEVEL });
    await write(longType.toBuffer(records), longType.toBuffer(packed.length), packed, sync);
  }

  async function cut(): Promise<void> {
    const records = count;
    const data = block.subarray(0, end);
    count = 0;
    end = 0;
    if (records > 0) await writeBlock(records, data);
  }

  async function addToNext(value: unknown): Promise<void> {
    await cut();
    const next = type.encode(value, block, 0);
    if (next < 0) return writeBlock(1, type.toBuffer(value));
    count = 1;
    end = next;
  }

  const texts = { ...metadata, [SCHEMA]: schema, [CODEC]: codec };
  const entries = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const);
  await write(MAGIC, headerMapType.toBuffer(Object.fromEntries(entries)), sync);

  return {
    add(value) {
      const next = type.encode(value, block, end);
      if (next < 0) return addToNext(value);
      count += 1;
      end = next;
      return undefined;
    },
    cut,
    sha256: () => hash.copy().digest("hex"),
    bytes: () => written,
  };
}
