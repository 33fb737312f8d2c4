import type { Admin, ITopicConfig } from "kafkajs";

export interface TopicToProvide {
  readonly name: string;
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  readonly retentionMs: number;
}

/**
 * Creates the topics that are missing; idempotent. `LogAppendTime` makes the broker's clock the one that says when a
 * message was recorded: a producer with a wrong clock cannot forge it.
 */
export async function provideTopics(
  admin: Admin,
  wanted: readonly TopicToProvide[],
  replicationFactor: number,
): Promise<readonly string[]> {
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter(({ name }) => !existing.has(name));
  const topics: ITopicConfig[] = missing.map(({ name, partitions, cleanup, retentionMs }) => ({
    topic: name,
    numPartitions: partitions,
    replicationFactor,
    configEntries: [
      { name: "cleanup.policy", value: cleanup },
      { name: "message.timestamp.type", value: "LogAppendTime" },
      { name: "max.message.bytes", value: String(8 * 1024 * 1024) },
      ...(cleanup === "delete" ? [{ name: "retention.ms", value: String(retentionMs) }] : []),
    ],
  }));
  if (topics.length > 0) await admin.createTopics({ topics, waitForLeaders: true });
  return missing.map(({ name }) => name);
}
