import { expect, test } from "vitest";
import { Bytes } from "../../../../../services/projector/native/bytes.ts";

/** The groups of 7 bits, then the text. */
function read(buffer: Buffer): string {
  let length = 0;
  let at = 0;
  for (let shift = 1; ; shift *= 128) {
    const byte = buffer.readUInt8(at);
    at += 1;
    length += (byte % 128) * shift;
    if (byte < 128) break;
  }
  expect(buffer.length - at).toBe(length);
  return buffer.toString("utf8", at);
}

const lengths = [0, 1, 41, 42, 43, 63, 64, 127, 128, 129, 16_383, 16_384, 2_097_152];

test.each(lengths.flatMap((length) => ["x", "é", "€", "🐢"].map((character) => ({ length, character }))))(
  "a text of $length times $character has its length in bytes before it",
  ({ length, character }) => {
    const text = character.repeat(length);
    const bytes = new Bytes(Buffer.alloc(1));
    bytes.text(text);

    expect(read(bytes.written()) === text).toBe(true);
  },
);

test("what was written stays while the buffer grows", () => {
  const bytes = new Bytes(Buffer.alloc(1));
  for (let i = 0; i < 1_000; i++) {
    const at = bytes.claim(2);
    bytes.view.setUint16(at, i, true);
  }

  const found = bytes.written();
  expect(Array.from({ length: 1_000 }, (_, i) => found.readUInt16LE(2 * i))).toEqual(
    Array.from({ length: 1_000 }, (_, i) => i),
  );
});
