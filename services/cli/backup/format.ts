// The files of a backup: the manifest, and one file for each partition: gzipped, with one message on each line.
import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { IHeaders, KafkaMessage } from "kafkajs";
import { z } from "zod";
import { jsonOf } from "../../../schemas/json.ts";
import { type Topic, topics } from "../../../schemas/topics.ts";

/**
 * The topics that nothing else can give back: Kafka keeps them for ever. All others are kept for some days, and the
 * history has what was derived from them. Objects refer to the catalog, so it comes last: a backup that is made while
 * the API works has every object that it refers to.
 */
export const savedTopics: readonly Topic[] = (Object.keys(topics) as Topic[])
  .filter((topic) => topics[topic].retentionMs === -1)
  .sort((a, b) => Number(a === "catalog") - Number(b === "catalog"));

const manifest = z.object({
  format: z.literal(1),
  /** The backup has everything that was acknowledged before this time. */
  startedAt: z.iso.datetime(),
  namespace: z.string(),
  partitions: z.array(
    z.object({
      topic: z.enum(savedTopics as [Topic, ...Topic[]]),
      partition: z.number().int().nonnegative(),
      file: z.string().regex(/^[a-z-]+-\d+\.jsonl\.gz$/),
      messages: z.number().int().nonnegative(),
      /** Checksum of the file as it is on the disk. */
      sha256: z.string(),
    }),
  ),
  /** The schemas of the messages, with their ids in the registry of then. */
  schemas: z.array(z.object({ id: z.number().int().positive(), schema: z.string() })),
});

export type Manifest = z.output<typeof manifest>;
export type SavedPartition = Manifest["partitions"][number];

export const manifestFile = (folder: string): string => join(folder, "manifest.json");

export const fileOf = (topic: Topic, partition: number): string => `${topic}-${partition}.jsonl.gz`;

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(manifestFile(folder), "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`${folder} is no backup: it has no manifest.json.`);
  const parsed = manifest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new Error(`${manifestFile(folder)} is not the manifest of a backup that this version can read.`);
}

const line = z.object({
  /** The time at which the broker recorded the message, milliseconds. */
  at: z.number(),
  key: z.string().nullable(),
  value: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  /** The headers that are no text or have several values, in base64. Absent when there are none. */
  more: z.array(z.tuple([z.string(), z.string()])).optional(),
});

export interface SavedMessage {
  readonly at: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<IHeaders>;
}

const base64 = (bytes: Buffer | null) => bytes?.toString("base64") ?? null;

export function toLine({ timestamp, key, value, headers = {} }: KafkaMessage): string {
  const values = Object.entries(headers).map(([name, of]) => [name, valuesOf(of)] as const);
  const [more, texts] = [values.filter((each) => !isPlain(each)), values.filter(isPlain)];
  const fields = {
    at: Number(timestamp),
    key: base64(key),
    value: base64(value),
    headers: Object.fromEntries(texts.map(([name, of]) => [name, String(of[0])])),
    ...(more.length === 0 ? {} : { more: more.flatMap(([name, of]) => of.map((bytes) => [name, base64(bytes)])) }),
  };
  return `${JSON.stringify(fields)}\n`;
}

/** kafkajs cannot write a header without a value, so it comes back with an empty one. */
const valuesOf = (values: IHeaders[string]): readonly Buffer[] =>
  (Array.isArray(values) ? values : [values ?? ""]).map((value) => Buffer.from(value));

/** A record that was parsed has no key of the name __proto__. */
const isPlain = ([name, values]: readonly [string, readonly Buffer[]]): boolean =>
  name !== "__proto__" && values.length === 1 && values.every(isUtf8);

/** Yields the messages of a partition in their order. */
export async function* readSavedMessages(folder: string, { file }: SavedPartition): AsyncGenerator<SavedMessage, void> {
  // Whoever iterates learns of the error.
  const input = pipeline(createReadStream(join(folder, file)), createGunzip(), () => undefined);
  for await (const text of linesOf(input)) yield messageIn(text);
}

export function messageIn(text: string): SavedMessage {
  const { at, key, value, headers, more = [] } = line.parse(jsonOf(text));
  const bytes = (encoded: string | null) => (encoded === null ? null : Buffer.from(encoded, "base64"));
  const repeated = Map.groupBy(more, ([name]) => name);
  const others = Array.from(repeated, ([name, values]) => {
    const decoded = values.map(([, encoded]) => Buffer.from(encoded, "base64"));
    return [name, decoded.length === 1 ? decoded[0] : decoded] as const;
  });
  const all = Object.fromEntries<IHeaders[string]>([...Object.entries(headers), ...others]);
  return { at, key: bytes(key), value: bytes(value), headers: all };
}

const NEWLINE = 0x0a;

/**
 * Node's readline also ends a line at U+2028 and U+2029, which JSON has unescaped in its texts. Memory holds one line
 * and one chunk.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      begun.push(chunk.subarray(from, end));
      yield Buffer.concat(begun).toString();
      begun = [];
      from = end + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString();
}
