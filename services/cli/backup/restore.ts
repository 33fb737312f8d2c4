// Writes the messages of a backup into empty topics. Their offsets begin at 0, and their times are those of the backup.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Admin, Kafka } from "kafkajs";
import { type NamedTopic, type Topic, topicName } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { ledRanges } from "../../common/kafka/offsets.ts";
import { setOnTopics } from "../../common/kafka/write/compare-topics.ts";
import { TIMES_OF_WRITERS, TIMESTAMP_TYPE, valuesOnTopics } from "../../common/kafka/write/filling.ts";
import { provideTopics } from "../../common/kafka/write/provision.ts";
import { createPublisher } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";
import type { RegisterAgain } from "../../common/registry/register-again.ts";
import { fillPartition } from "./fill-partition.ts";
import { type Manifest, readManifest, type SavedPartition, savedTopics } from "./format.ts";
import { registerAll } from "./schema-ids.ts";

export interface RestoreDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly register: RegisterAgain;
  readonly namespace: string;
  /** All topics of the installation, with its settings. */
  readonly topics: readonly NamedTopic[];
  readonly replicationFactor: number;
  readonly log: Log;
  readonly print: (line: string) => void;
}

const PUBLISH_TIMEOUT_MS = 30_000;

/**
 * Rejects, and writes nothing, when a file of the backup is damaged, or when a topic has messages that no restore has
 * written. While topics are being filled they keep the times of their writers, and no service starts on such topics. So
 * a restore that was interrupted is recognized by that, and continues.
 */
export async function restoreBackup(folder: string, deps: RestoreDeps): Promise<Manifest> {
  const { admin, namespace, print } = deps;
  const manifest = await readManifest(folder);
  refusePartitions(manifest, deps);
  for (const saved of manifest.partitions) await refuseDamaged(folder, saved);
  const names = savedTopics.map((topic) => topicName(namespace, topic));
  const begun = await unfinished(admin, names);
  // A restore may also be interrupted when it sets the topics back, one after the other.
  if (begun.size === 0) await refuseFilled(admin, names);
  const ids = await registerAll(manifest.schemas, deps.register);
  const complete = deps.topics.filter(({ name }) => !begun.has(name));
  await provideTopics(admin, complete, deps.replicationFactor);
  await setOnTopics(admin, names, TIMESTAMP_TYPE, TIMES_OF_WRITERS);
  await fillAll(folder, manifest, ids, deps);
  await setOnTopics(admin, names, TIMESTAMP_TYPE, "LogAppendTime");
  await provideTopics(admin, deps.topics, deps.replicationFactor);
  print("All topics are restored.");
  return manifest;
}

/** The key of a message chooses its partition among those that the log had. */
function refusePartitions({ partitions }: Manifest, { topics, namespace }: RestoreDeps): void {
  const counts = Map.groupBy(partitions, ({ topic }) => topic);
  for (const [topic, { length }] of counts) {
    const wanted = topics.find(({ name }) => name === topicName(namespace, topic))?.partitions;
    if (wanted === length) continue;
    throw new Error(`The backup has ${length} partitions of ${topic}, the settings ${wanted}: set CAMERA_PARTITIONS.`);
  }
  const missing = savedTopics.filter((topic) => !counts.has(topic));
  if (missing.length > 0) throw new Error(`The backup lacks ${missing.join(", ")}: another version has made it.`);
}

async function refuseDamaged(folder: string, { file, sha256 }: SavedPartition): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(folder, file)), hash);
  if (hash.digest("hex") !== sha256) throw new Error(`${join(folder, file)} is damaged: its checksum differs.`);
}

/** Returns the topics that a restore has begun to fill. */
async function unfinished(admin: Admin, names: readonly string[]): Promise<ReadonlySet<string>> {
  const existing = new Set(await admin.listTopics());
  const asked = names.filter((name) => existing.has(name));
  const found = [...(await valuesOnTopics(admin, asked, TIMESTAMP_TYPE))];
  return new Set(found.flatMap(([name, value]) => (value === TIMES_OF_WRITERS ? [name] : [])));
}

async function refuseFilled(admin: Admin, names: readonly string[]): Promise<void> {
  const existing = new Set(await admin.listTopics());
  for (const name of names.filter((each) => existing.has(each))) {
    const ranges = await ledRanges(admin, name);
    if (ranges.every(({ high }) => high === 0)) continue;
    throw new Error(`Nothing was changed: ${name} has messages. A backup is restored into empty topics only.`);
  }
}

async function fillAll(folder: string, manifest: Manifest, ids: ReadonlyMap<number, number>, deps: RestoreDeps) {
  const { kafka, admin, namespace, log, print } = deps;
  const named = (topic: Topic) => topicName(namespace, topic);
  const publisher = createPublisher({
    kafka,
    topics: savedTopics.map(named),
    log,
    lingerMs: 0,
    maxBatchBytes: MIB,
    maxQueueBytes: 64 * MIB,
    timeoutMs: PUBLISH_TIMEOUT_MS,
    // After a failure the end of the partition shows which messages were written.
    retries: 0,
  });
  await publisher.start();
  try {
    for (const saved of manifest.partitions) {
      const target = { topic: named(saved.topic), partition: saved.partition };
      await fillPartition(folder, saved, { kafka, admin, publisher, ids, target });
      if (saved.messages > 0) print(`${target.topic}/${saved.partition}: ${saved.messages} messages`);
    }
  } finally {
    await publisher.stop();
  }
}
