// Topics as they are asked for: the missing ones are created, the existing ones compared and never changed.
import type { Admin, ITopicConfig, Kafka } from "kafkajs";
import type { Part } from "../lifecycle.ts";
import { untilSo } from "../loop.ts";
import { compareTopics, minInSyncReplicas } from "./compare-topics.ts";

export interface TopicToProvide {
  readonly name: string;
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  /** -1 keeps for ever. Ignored for compacted topics. */
  readonly retentionMs: number;
}

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/**
 * Creates the topics that are missing; idempotent. Rejects with TopicsDiffer when an existing one is not as asked.
 * `LogAppendTime` makes the broker's clock the one that says when a message was recorded: a producer with a wrong
 * clock cannot forge it.
 */
export async function provideTopics(
  admin: Admin,
  wanted: readonly TopicToProvide[],
  replicationFactor: number,
): Promise<readonly string[]> {
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter(({ name }) => !existing.has(name));
  await compareTopics(
    admin,
    wanted.filter(({ name }) => existing.has(name)),
    replicationFactor,
  );
  const topics: ITopicConfig[] = missing.map(({ name, partitions, cleanup, retentionMs }) => ({
    topic: name,
    numPartitions: partitions,
    replicationFactor,
    configEntries: [
      { name: "cleanup.policy", value: cleanup },
      { name: "message.timestamp.type", value: "LogAppendTime" },
      { name: "max.message.bytes", value: String(MAX_MESSAGE_BYTES) },
      { name: "min.insync.replicas", value: String(minInSyncReplicas(replicationFactor)) },
      ...(cleanup === "delete" ? [{ name: "retention.ms", value: String(retentionMs) }] : []),
    ],
  }));
  if (topics.length > 0) await createTopics(admin, topics);
  return missing.map(({ name }) => name);
}

/**
 * Resolves when every partition has a leader, which kafkajs' own waiting does not: it gives up on a broker that has not
 * heard of the new topic yet.
 */
export async function createTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await admin.createTopics({ topics, waitForLeaders: false });
  await untilLed(
    admin,
    topics.map(({ topic }) => topic),
  );
}

/** Keeps a service from starting on topics that cannot hold its promises: on another broker, or made by hand. */
export function topicsCheck(kafka: Kafka, wanted: readonly TopicToProvide[], replicationFactor: number): Part {
  return {
    name: "topics check",
    async start() {
      const admin = kafka.admin();
      await admin.connect();
      try {
        await compareTopics(admin, wanted, replicationFactor);
      } finally {
        await admin.disconnect();
      }
    },
    stop: async () => undefined,
  };
}

const LEADERS_TIMEOUT_MS = 15_000;
const LEADERS_PAUSE_MS = 50;

async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  const areLed = async () => {
    try {
      const found = await admin.fetchTopicMetadata({ topics });
      return found.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
    } catch (error) {
      const type = error instanceof Error && "type" in error ? String(error.type) : "";
      if (!notYet.has(type)) throw error;
      return false;
    }
  };
  const led = await untilSo(areLed, { pauseMs: LEADERS_PAUSE_MS, withinMs: LEADERS_TIMEOUT_MS });
  if (!led) throw new Error(`no leaders for the new topics ${topics.join(", ")}`);
}

const notYet: ReadonlySet<string> = new Set(["UNKNOWN_TOPIC_OR_PARTITION", "LEADER_NOT_AVAILABLE"]);
