import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { inflate, isShortOfMemory, TooLarge } from "../../../../../../services/common/kafka/internals/inflate.ts";

const errorOf = async (fails: () => unknown) => {
  try {
    await fails();
  } catch (error) {
    return error;
  }
  return undefined;
};
const coded = (code: string) => () => {
  throw Object.assign(new Error("failed"), { code });
};

test.each<[string, () => unknown]>([
  ["V8", () => new ArrayBuffer(2 ** 52)],
  ["Node's buffers", coded("ERR_MEMORY_ALLOCATION_FAILED")],
  ["zlib", coded("Z_MEM_ERROR")],
  ["zlib's beginning", coded("ERR_ZLIB_INITIALIZATION_FAILED")],
  ["zstd", coded("ZSTD_error_memory_allocation")],
])("a lack of memory that %s tells is known as such", async (_, fails) => {
  expect(isShortOfMemory(await errorOf(fails))).toBe(true);
});

test.each([1, 2, 3, 4])("bytes that are not of codec %i are no lack of memory", async (codec) => {
  const error = await errorOf(() => inflate(codec, Buffer.alloc(100, 0x5b), 1_000));

  expect(error).toBeInstanceOf(Error);
  expect(isShortOfMemory(error)).toBe(false);
});

test("what becomes too large is no lack of memory", async () => {
  const error = await errorOf(() => inflate(1, gzipSync(Buffer.alloc(11)), 10));

  expect(error).toBeInstanceOf(TooLarge);
  expect(isShortOfMemory(error)).toBe(false);
});
