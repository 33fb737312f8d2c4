// The files of a backup: the manifest, and one file for each partition: gzipped, with one message on each line.
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import type { KafkaMessage } from "kafkajs";
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
});

export interface SavedMessage {
  readonly at: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

export function toLine({ timestamp, key, value, headers = {} }: KafkaMessage): string {
  const texts = Object.entries(headers).map(([name, header]) => [name, String(header ?? "")]);
  const base64 = (bytes: Buffer | null) => bytes?.toString("base64") ?? null;
  const fields = { at: Number(timestamp), key: base64(key), value: base64(value), headers: Object.fromEntries(texts) };
  return `${JSON.stringify(fields)}\n`;
}

/** Yields the messages of a partition in their order. */
export async function* readSavedMessages(folder: string, { file }: SavedPartition): AsyncGenerator<SavedMessage, void> {
  const input = createReadStream(join(folder, file)).pipe(createGunzip());
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text, "base64"));
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { at, key, value, headers } = line.parse(jsonOf(text));
    yield { at, key: bytes(key), value: bytes(value), headers };
  }
}
