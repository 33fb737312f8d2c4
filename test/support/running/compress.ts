// Lets kafkajs' producer compress with every codec of Kafka. The broker reads the records with its own libraries before
// it takes a batch, so these formats are right. Those of snappy and LZ4 hold the bytes as they are.
import { zstdCompressSync } from "node:zlib";
import kafkajs from "kafkajs";

type Compress = (bytes: Buffer) => Buffer;

const BLOCK_BYTES = 0xffff;

function blocksOf(bytes: Buffer): Buffer[] {
  const blocks = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) blocks.push(bytes.subarray(at, at + BLOCK_BYTES));
  return blocks;
}

const int32 = (value: number, write: "writeUInt32BE" | "writeUInt32LE"): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer[write](value);
  return buffer;
};

const SNAPPY_HEAD = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);

/** One literal. */
function snappyBlock(bytes: Buffer): Buffer {
  const length = Buffer.from([(bytes.length & 0x7f) | 0x80, ((bytes.length >> 7) & 0x7f) | 0x80, bytes.length >> 14]);
  const tag = Buffer.from([61 << 2, (bytes.length - 1) & 0xff, (bytes.length - 1) >> 8]);
  return Buffer.concat([length, tag, bytes]);
}

const snappy: Compress = (bytes) => {
  const blocks = blocksOf(bytes).map(snappyBlock);
  return Buffer.concat([SNAPPY_HEAD, ...blocks.flatMap((block) => [int32(block.length, "writeUInt32BE"), block])]);
};

/** Independent blocks of 64 KiB at most, and the checksum of this head. */
const LZ4_HEAD = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82]);

const lz4: Compress = (bytes) => {
  const blocks = blocksOf(bytes).flatMap((block) => [int32(block.length + 0x80000000, "writeUInt32LE"), block]);
  return Buffer.concat([LZ4_HEAD, ...blocks, Buffer.alloc(4)]);
};

const codecOf = (compress: Compress) => () => ({
  compress: async (encoder: { readonly buffer: Buffer }) => compress(encoder.buffer),
  decompress: () => Promise.reject(new Error("nobody asks kafkajs to decompress")),
});

/** For the whole process. */
export function useCompression(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.Snappy] = codecOf(snappy);
  CompressionCodecs[CompressionTypes.LZ4] = codecOf(lz4);
  CompressionCodecs[CompressionTypes.ZSTD] = codecOf((bytes) => zstdCompressSync(bytes));
}
