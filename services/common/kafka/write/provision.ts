// Provides the configured topics: missing ones are created, existing ones compared, and mended when nothing is lost by
// it.
import type { Admin, ITopicConfig, Kafka } from "kafkajs";
import type { Part } from "../../lifecycle.ts";
import type { Log } from "../../log.ts";
import { loop, untilSo } from "../../loop.ts";
import { compareTopics, mendTopics, TopicsDiffer } from "./compare-topics.ts";
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

export interface TopicsCheck {
  readonly wanted: readonly TopicToProvide[];
  readonly replicationFactor: number;
  /** The start waits while one of these topics is being filled. The service works while others are. */
  readonly waitsFor: ReadonlySet<string>;
  readonly log: Log;
}

/** Keeps a service from starting on topics that cannot hold its promises: on another broker, or created by hand. */
export function topicsCheck(kafka: Kafka, { wanted, replicationFactor, waitsFor, log }: TopicsCheck): Part {
  const stopped = new AbortController();
  return {
    name: "topics check",
    async start() {
      const admin = kafka.admin();
      await admin.connect();
      try {
        const filling = async () => {
          const topics = await fillingTopics(admin, wanted, replicationFactor);
          return [...topics].filter((topic) => waitsFor.has(topic));
        };
        const first = await filling();
        if (first.length === 0) return;
        log.info({ topics: first }, "waiting until the namespace is open");
        const isOpen = async () => ((await filling()).length === 0 ? true : undefined);
        await loop(isOpen, { pauseMs: OPEN_PAUSE_MS, signal: stopped.signal });
      } finally {
        await admin.disconnect();
      }
    },
    stop: async () => stopped.abort(),
  };
}

const OPEN_PAUSE_MS = 200;

/** Resolves with the topics that are being filled; rejects with TopicsDiffer for any other difference. */
async function fillingTopics(admin: Admin, wanted: readonly TopicToProvide[], replicationFactor: number) {
  try {
    await compareTopics(admin, wanted, replicationFactor);
    return new Set<string>();
  } catch (error) {
    if (error instanceof TopicsDiffer && error.filling !== undefined) return error.filling;
    throw error;
  }
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
