// Writes a backup: the topics that are kept for ever, with the schemas of their messages.
import { createHash } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Admin, Kafka, KafkaMessage } from "kafkajs";
import { type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { keepAllHeaders } from "../../common/kafka/internals/decode-record.ts";
import { offsetRanges } from "../../common/kafka/offsets.ts";
import { createLogFetcher, type LogFetcher } from "../../common/kafka/read/fetch-log.ts";
import { pause } from "../../common/loop.ts";
import type { FetchSchema } from "../../common/registry/fetch-schema.ts";
import { schemaId } from "../../common/registry/value-readers.ts";
import { fileOf, type Manifest, manifestFile, type SavedPartition, savedTopics, toLine } from "./format.ts";

export interface SaveDeps {
  readonly kafka: Kafka;
  readonly fetchSchema: FetchSchema;
  readonly namespace: string;
  readonly now: () => number;
}

export interface Saved {
  readonly manifest: Manifest;
  /** Ids in messages that the registry does not have. A producer may invent one; readers refuse its messages. */
  readonly unknownIds: readonly number[];
}

const FETCH_BYTES = 4 * MIB;
const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;
/** A fetch may give nothing although the partition has more, such as when its leader moves. */
const MAX_EMPTY_FETCHES = 200;
const PAUSE_MS = 50;

/**
 * Writes the backup beside the folder first and renames it, so a folder of this name is always complete. Services may
 * work meanwhile. Memory holds one fetch.
 */
export async function saveBackup(path: string, deps: SaveDeps): Promise<Saved> {
  const folder = resolve(path);
  if (existsSync(folder)) throw new Error(`${folder} exists already: name a folder that does not exist.`);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: FOLDER_OF_OWNER });
  await chmod(unfinished, FOLDER_OF_OWNER);
  keepAllHeaders();
  const startedAt = new Date(deps.now()).toISOString();
  const admin = deps.kafka.admin();
  const fetcher = createLogFetcher(deps.kafka, FETCH_BYTES);
  const ids = new Set<number>();
  const partitions: SavedPartition[] = [];
  await Promise.all([admin.connect(), fetcher.start()]);
  try {
    for (const topic of savedTopics) {
      const name = topicName(deps.namespace, topic);
      for (const { partition } of await offsetRanges(admin, name)) {
        const messages = withSchemas(readPartition({ admin, fetcher, topic, name, partition }), ids);
        partitions.push({ topic, partition, ...(await writeFileOf(unfinished, fileOf(topic, partition), messages)) });
      }
    }
  } finally {
    await Promise.all([admin.disconnect(), fetcher.stop()]);
  }
  const { schemas, unknownIds } = await fetchAll(ids, deps.fetchSchema);
  const manifest: Manifest = { format: 1, startedAt, namespace: deps.namespace, partitions, schemas };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(manifestFile(unfinished), text, { mode: OWNER_ONLY, flush: true });
  await rename(unfinished, folder);
  return { manifest, unknownIds };
}

interface PartitionToSave {
  readonly admin: Admin;
  readonly fetcher: LogFetcher;
  readonly topic: Topic;
  readonly name: string;
  readonly partition: number;
}

/** Yields what the partition has when it is begun, and of a compacted topic also what came until that was read. */
async function* readPartition(at: PartitionToSave): AsyncGenerator<KafkaMessage, void> {
  const first = await rangeOf(at);
  yield* readRange(at, first.low, first.high);
  // Compaction may have removed a message before it was read, because its key got a newer one beyond the first end.
  if (topics[at.topic].cleanup === "compact") yield* readRange(at, first.high, (await rangeOf(at)).high);
}

async function rangeOf({ admin, name, partition }: PartitionToSave) {
  const [range] = await offsetRanges(admin, name, [partition]);
  if (range === undefined) throw new Error(`${name}/${partition} has no offsets`);
  return range;
}

async function* readRange(
  { fetcher, name, partition }: PartitionToSave,
  from: number,
  end: number,
): AsyncGenerator<KafkaMessage, void> {
  let empty = 0;
  for (let next = from; next < end; ) {
    const fetched = await fetcher.fetch({ topic: name, partition }, next);
    for (const message of fetched.messages) {
      const offset = Number(message.offset);
      if (offset >= next && offset < end) yield message;
    }
    empty = fetched.next > next ? 0 : empty + 1;
    if (empty > MAX_EMPTY_FETCHES) throw new Error(`${name}/${partition} gives nothing from offset ${next} on`);
    if (empty > 0) await pause(PAUSE_MS);
    next = Math.max(next, fetched.next);
  }
}

async function* withSchemas(messages: AsyncIterable<KafkaMessage>, ids: Set<number>) {
  for await (const message of messages) {
    const id = schemaId(message.value);
    if (id !== undefined) ids.add(id);
    yield message;
  }
}

async function writeFileOf(folder: string, file: string, messages: AsyncIterable<KafkaMessage>) {
  const sha256 = createHash("sha256");
  let count = 0;
  async function* lines() {
    for await (const message of messages) {
      count += 1;
      yield toLine(message);
    }
  }
  async function* hashed(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sha256.update(chunk);
      yield chunk;
    }
  }
  const target = createWriteStream(join(folder, file), { flags: "wx", mode: OWNER_ONLY, flush: true });
  await pipeline(Readable.from(lines()), createGzip(), hashed, target);
  return { file, messages: count, sha256: sha256.digest("hex") };
}

async function fetchAll(ids: ReadonlySet<number>, fetchSchema: FetchSchema) {
  const schemas: Manifest["schemas"] = [];
  const unknownIds: number[] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const found = await fetchSchema(id);
    if (found?.ok === true && found.schemaType === undefined) schemas.push({ id, schema: found.schema });
    else unknownIds.push(id);
  }
  return { schemas, unknownIds };
}
