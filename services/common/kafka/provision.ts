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
  const names = missing.map(({ name }) => name);
  if (topics.length > 0) {
    // kafkajs' own waiting gives up on a broker that has not heard of the new topic yet.
    await admin.createTopics({ topics, waitForLeaders: false });
    await untilLed(admin, names);
  }
  return names;
}

const LEADERS_TIMEOUT_MS = 15_000;
const LEADERS_PAUSE_MS = 50;

async function untilLed(admin: Admin, topics: string[]): Promise<void> {
  const deadline = performance.now() + LEADERS_TIMEOUT_MS;
  for (;;) {
    try {
      const found = await admin.fetchTopicMetadata({ topics });
      if (found.topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
    } catch (error) {
      const type = error instanceof Error && "type" in error ? String(error.type) : "";
      if (!notYet.has(type) || performance.now() > deadline) throw error;
    }
    if (performance.now() > deadline) throw new Error(`no leaders for the new topics ${topics.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, LEADERS_PAUSE_MS));
  }
}

const notYet: ReadonlySet<string> = new Set(["UNKNOWN_TOPIC_OR_PARTITION", "LEADER_NOT_AVAILABLE"]);
