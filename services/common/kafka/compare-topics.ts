// Compares existing topics with the settings. acks = all is durable only with as many in-sync replicas as
// min.insync.replicas says, expiry and rebuilds go by the broker's timestamps, and keys find their partition by the
// number of partitions.
import kafkajs, { type Admin } from "kafkajs";
import { untilSo } from "../loop.ts";
import type { TopicToProvide } from "./provision.ts";

/** The topics differ from the settings; the message names every difference and what to do. */
export class TopicsDiffer extends Error {
  override readonly name = "TopicsDiffer";
}

/** Writes go on while one of several copies is missing; with three or more, an acknowledged write is on two. */
export const minInSyncReplicas = (replicationFactor: number): number => Math.max(1, replicationFactor - 1);

/** Rejects with TopicsDiffer; a topic that is missing is a difference. */
export async function compareTopics(
  admin: Admin,
  wanted: readonly TopicToProvide[],
  replicationFactor: number,
): Promise<void> {
  const existing = await listed(
    admin,
    wanted.map(({ name }) => name),
  );
  const missing = wanted.filter(({ name }) => !existing.has(name)).map(({ name }) => `${name} is missing`);
  const found = wanted.filter(({ name }) => existing.has(name));
  const actual = found.length === 0 ? [] : await describe(admin, found);
  const differences = actual.flatMap(({ topic, settings }) => differencesOf(topic, settings, replicationFactor));
  if (missing.length + differences.length === 0) return;
  throw new TopicsDiffer(
    [
      "The topics on the broker are not as the settings ask:",
      ...[...missing, ...differences].map((line) => `  ${line}`),
      "Missing topics are created by: npm run topics. For the others, either give every process the settings with which",
      "they were made (CAMERA_PARTITIONS, CAMERA_LOG_RETENTION_MS, TOPIC_REPLICATION_FACTOR), or change the topic with",
      "Kafka's own tools (kafka-configs, kafka-reassign-partitions). The number of partitions of a log cannot be changed.",
    ].join("\n"),
  );
}

const HEARD_WITHIN_MS = 2_000;
const PAUSE_MS = 50;

/** A broker hears of a topic that another broker has created only a moment later. */
async function listed(admin: Admin, names: readonly string[]): Promise<ReadonlySet<string>> {
  let existing: ReadonlySet<string> = new Set();
  const areHeardOf = async () => {
    existing = new Set(await admin.listTopics());
    return names.every((name) => existing.has(name));
  };
  await untilSo(areHeardOf, { pauseMs: PAUSE_MS, withinMs: HEARD_WITHIN_MS });
  return existing;
}

type Settings = ReadonlyMap<string, string>;

interface Actual {
  readonly topic: TopicToProvide;
  readonly settings: Settings;
}

const CONFIG_NAMES = ["cleanup.policy", "message.timestamp.type", "min.insync.replicas", "retention.ms"];

async function describe(admin: Admin, topics: readonly TopicToProvide[]): Promise<Actual[]> {
  const names = topics.map(({ name }) => name);
  const [metadata, configs] = await Promise.all([
    admin.fetchTopicMetadata({ topics: names }),
    admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames: CONFIG_NAMES })),
    }),
  ]);
  const partitionsOf = new Map(metadata.topics.map(({ name, partitions }) => [name, partitions]));
  const configOf = new Map(configs.resources.map(({ resourceName, configEntries }) => [resourceName, configEntries]));
  return topics.map((topic) => {
    const partitions = partitionsOf.get(topic.name) ?? [];
    const replicas = [...new Set(partitions.map((partition) => partition.replicas.length))].sort((a, b) => a - b);
    const entries = configOf.get(topic.name) ?? [];
    return {
      topic,
      settings: new Map([
        ["partitions", String(partitions.length)],
        ["replicas of each partition", replicas.join(" to ")],
        ...entries.map(({ configName, configValue }) => [configName, configValue] as const),
      ]),
    };
  });
}

function differencesOf(topic: TopicToProvide, settings: Settings, replicationFactor: number): string[] {
  const asked: readonly (readonly [string, number | string])[] = [
    ["partitions", topic.partitions],
    ["replicas of each partition", replicationFactor],
    ["min.insync.replicas", minInSyncReplicas(replicationFactor)],
    ["message.timestamp.type", "LogAppendTime"],
    ["cleanup.policy", topic.cleanup],
    ...(topic.cleanup === "delete" ? [["retention.ms", topic.retentionMs] as const] : []),
  ];
  return asked
    .filter(([name, value]) => settings.get(name) !== String(value))
    .map(([name, value]) => `${topic.name}: ${name} is ${settings.get(name) ?? "unknown"}, asked for is ${value}`);
}
