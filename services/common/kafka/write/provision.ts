// Provides the configured topics: missing ones are created, existing ones compared, and mended when nothing is lost by
// it.
import type { Admin, ITopicConfig, Kafka } from "kafkajs";
import type { Part } from "../../lifecycle.ts";
import { untilSo } from "../../loop.ts";
import { compareTopics, mendTopics } from "./compare-topics.ts";
import { settingsOf, type TopicToProvide } from "./topic-settings.ts";

/**
 * Creates the topics that are missing and mends those settings of the others that can be mended without a loss;
 * idempotent. Rejects with TopicsDiffer, and changes nothing, when an existing one differs in anything else.
 */
export async function provideTopics(
  admin: Admin,
  wanted: readonly TopicToProvide[],
  replicationFactor: number,
): Promise<Provided> {
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter(({ name }) => !existing.has(name));
  const found = wanted.filter(({ name }) => existing.has(name));
  const mended = await mendTopics(admin, found, replicationFactor);
  const topics: ITopicConfig[] = missing.map((topic) => ({
    topic: topic.name,
    numPartitions: topic.partitions,
    replicationFactor,
    configEntries: Array.from(settingsOf(topic, replicationFactor), ([name, value]) => ({ name, value })),
  }));
  if (topics.length > 0) await createTopics(admin, topics);
  return { created: missing.map(({ name }) => name), mended };
}

export interface Provided {
  /** Names of the topics that were created. */
  readonly created: readonly string[];
  /** One line for each setting that was mended. */
  readonly mended: readonly string[];
}

/**
 * Resolves when every partition has a leader. kafkajs' own waiting gives up on a broker that does not have the new
 * topic yet.
 */
export async function createTopics(admin: Admin, topics: ITopicConfig[]): Promise<void> {
  await admin.createTopics({ topics, waitForLeaders: false });
  await untilLed(
    admin,
    topics.map(({ topic }) => topic),
  );
}

/** Keeps a service from starting on topics that cannot hold its promises: on another broker, or created by hand. */
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
