// Reads an Avro object container file whose content nobody vouches for. avsc's own decoder takes a block of any size
// into memory, and takes a file that ends within a block for a whole one.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { messageOf } from "../../../schemas/errors.ts";
import { MIB } from "../../../schemas/units.ts";
import {
  CODEC,
  type ContainerCodec,
  codecNames,
  DamagedFile,
  MAGIC,
  MAX_BLOCK_BYTES,
  SCHEMA,
  SYNC_BYTES,
} from "./container.ts";

export interface ContainerHeader {
  readonly schema: string;
  readonly codec: ContainerCodec;
  readonly metadata: ReadonlyMap<string, string>;
  readonly sync: Buffer;
  /** Byte at which the first block begins. */
  readonly end: number;
}

export interface Block {
  /** Byte at which the block begins. */
  readonly position: number;
  /** Number of records. */
  readonly count: number;
  /** Uncompressed. */
  readonly data: Buffer;
  /** @returns the hex SHA-256 of the bytes from the first one that was read up to this block. */
  readonly sha256Before: () => string;
}

const inflate = promisify(inflateRaw);
const CHUNK_BYTES = MIB;
const MAX_ENTRIES = 100;
const MAX_NAME_BYTES = 1_024;
const MAX_TEXT_BYTES = MIB;
/** A number of Avro has at most ten bytes. */
const NUMBER_BYTES = 10;

/** Reads the header and then the blocks, one at a time: the next one is read when the caller asks for it. */
export async function openContainer(
  file: FileHandle,
): Promise<{ header: ContainerHeader; blocks: AsyncGenerator<Block> }> {
  const bytes = new FileBytes(file, 0);
  const header = await readHeader(bytes);
  return { header, blocks: readBlocks(bytes, header) };
}

/** Yields the blocks from one on that begins at this byte. */
export const blocksFrom = (file: FileHandle, header: ContainerHeader, position: number): AsyncGenerator<Block> =>
  readBlocks(new FileBytes(file, position), header);

async function readHeader(bytes: FileBytes): Promise<ContainerHeader> {
  if (await bytes.isAtEnd()) throw new DamagedFile("the file is empty");
  const magic = await bytes.take(MAGIC.length).catch(() => undefined);
  if (magic === undefined || !MAGIC.equals(magic)) throw new DamagedFile("it is no Avro object container file");
  const metadata = new Map<string, string>();
  for (let left = await countOf(bytes); left > 0; left = await countOf(bytes)) {
    for (; left > 0; left--) {
      if (metadata.size >= MAX_ENTRIES) throw new DamagedFile(`its header has more than ${MAX_ENTRIES} entries`);
      const name = await textOf(bytes, MAX_NAME_BYTES);
      metadata.set(name, await textOf(bytes, MAX_TEXT_BYTES));
    }
  }
  const sync = Buffer.from(await bytes.take(SYNC_BYTES));
  const codec = codecNames.find((name) => name === (metadata.get(CODEC) ?? "null"));
  if (codec === undefined) throw new DamagedFile(`it has the codec ${metadata.get(CODEC)}, not deflate or null`);
  return { schema: metadata.get(SCHEMA) ?? "", codec, metadata, sync, end: bytes.position };
}

/** The size in bytes follows a negative count. */
async function countOf(bytes: FileBytes): Promise<number> {
  const count = await bytes.number();
  if (count < 0) await bytes.number();
  return Math.abs(count);
}

async function textOf(bytes: FileBytes, most: number): Promise<string> {
  const length = await bytes.number();
  if (length < 0 || length > most) throw new DamagedFile(`its header has a text of ${length} bytes, not 0 to ${most}`);
  return (await bytes.take(length)).toString();
}

async function* readBlocks(bytes: FileBytes, { codec, sync }: ContainerHeader): AsyncGenerator<Block, void> {
  while (!(await bytes.isAtEnd())) {
    const { position } = bytes;
    const sha256Before = bytes.digest();
    const count = await bytes.number();
    const length = await bytes.number();
    if (length < 0 || length > MAX_BLOCK_BYTES) {
      throw new DamagedFile(`its block at byte ${position} declares ${length} bytes, not 0 to ${MAX_BLOCK_BYTES}`);
    }
    const packed = await bytes.take(length);
    const marker = await bytes.take(SYNC_BYTES);
    if (!sync.equals(marker)) throw new DamagedFile(`a wrong marker follows its block at byte ${position}`);
    const data = codec === "null" ? packed : await inflated(packed, position);
    // Each record has a byte or more.
    if (count < 0 || count > data.length) {
      throw new DamagedFile(`its block at byte ${position} declares ${count} records in ${data.length} bytes`);
    }
    yield { position, count, data, sha256Before };
  }
}

async function inflated(packed: Buffer, position: number): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: MAX_BLOCK_BYTES });
  } catch (cause) {
    throw new DamagedFile(`its block at byte ${position} cannot be inflated: ${messageOf(cause)}`, { cause });
  }
}

/** A place in a file. Memory holds a chunk, or what `take` is asked for when that is more. */
class FileBytes {
  readonly #file: FileHandle;
  readonly #hash = createHash("sha256");
  #chunk = Buffer.alloc(0);
  #at = 0;
  /** Byte of the file at which the chunk ends. */
  #next: number;

  constructor(file: FileHandle, position: number) {
    this.#file = file;
    this.#next = position;
  }

  get position(): number {
    return this.#next - this.#left;
  }

  get #left(): number {
    return this.#chunk.length - this.#at;
  }

  /** @returns the digest of the bytes that were taken before this call. */
  digest(): () => string {
    const hash = this.#hash.copy();
    return () => hash.digest("hex");
  }

  async isAtEnd(): Promise<boolean> {
    return this.#left === 0 && !(await this.#read(1));
  }

  async take(length: number): Promise<Buffer> {
    while (this.#left < length) {
      if (!(await this.#read(length))) throw new DamagedFile(`it ends in the middle, at byte ${this.#next}`);
    }
    const taken = this.#chunk.subarray(this.#at, this.#at + length);
    this.#at += length;
    this.#hash.update(taken);
    return taken;
  }

  /** Reads a zigzag number with a variable length. One beyond 2^53 is not exact, and exceeds every limit. */
  async number(): Promise<number> {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < NUMBER_BYTES; i++) {
      const [byte = 0] = await this.take(1);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 0x80;
    }
    throw new DamagedFile(`it has a number of more than ${NUMBER_BYTES} bytes before byte ${this.position}`);
  }

  /** Resolves with false at the end of the file. */
  async #read(wanted: number): Promise<boolean> {
    const rest = this.#chunk.subarray(this.#at);
    const grown = Buffer.allocUnsafe(rest.length + Math.max(CHUNK_BYTES, wanted - rest.length));
    rest.copy(grown);
    const { bytesRead } = await this.#file.read(grown, rest.length, grown.length - rest.length, this.#next);
    this.#chunk = grown.subarray(0, rest.length + bytesRead);
    this.#at = 0;
    this.#next += bytesRead;
    return bytesRead > 0;
  }
}
