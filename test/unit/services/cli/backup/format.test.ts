import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { linesOf, messageIn, toLine } from "../../../../../services/cli/backup/format.ts";

const messageWith = (headers: NonNullable<KafkaMessage["headers"]>): KafkaMessage => ({
  ...{ timestamp: "5", offset: "0", attributes: 0 },
  key: Buffer.from([0xff]),
  value: null,
  headers,
});

async function linesIn(...chunks: readonly Buffer[]): Promise<string[]> {
  async function* each() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of linesOf(each())) lines.push(line);
  return lines;
}

const inBytes = (bytes: Buffer): Buffer[] => Array.from(bytes, (byte) => Buffer.from([byte]));

test("a message with separators of lines in its headers is one line, however the file is cut", async () => {
  const separators = "a\u2028b\u2029c\u0085d\r\ne";
  const text = toLine(messageWith({ ce_id: Buffer.from(separators) }));
  const file = Buffer.from(text + text);

  for (const lines of [await linesIn(file), await linesIn(...inBytes(file))]) {
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(messageIn(line).headers).toEqual({ ce_id: separators });
  }
});

test("headers of any bytes and names come back, each with all its values", () => {
  const noText = Buffer.from([0xff, 0xfe, 0]);
  const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf, 0x61]);
  const headers = Object.fromEntries<Buffer | Buffer[]>([
    ["x-bytes", noText],
    ["x-mark", byteOrderMark],
    ["x-twice", [Buffer.from("a"), noText]],
    ["constructor", Buffer.from("c")],
    ["__proto__", Buffer.from("p")],
  ]);

  const saved = messageIn(toLine(messageWith(headers)).trimEnd());

  expect(saved).toMatchObject({ at: 5, key: Buffer.from([0xff]), value: null });
  const bytes = Object.entries(saved.headers).map(([name, of]) => {
    return [name, [of ?? ""].flat().map((each) => Buffer.from(each))] as const;
  });
  expect(new Map(bytes)).toEqual(new Map(Object.entries(headers).map(([name, of]) => [name, [of].flat()])));
});

test("a line of a backup that an earlier version has made is read", () => {
  const line = '{"at":5,"key":null,"value":"AA==","headers":{"ce_id":"x"}}';

  expect(messageIn(line)).toEqual({ at: 5, key: null, value: Buffer.from([0]), headers: { ce_id: "x" } });
});
