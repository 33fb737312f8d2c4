// Compares existing topics with the settings. The services' guarantees depend on them: acks = all is durable only with
// as many in-sync replicas as min.insync.replicas demands, expiry and rebuilds use the broker's timestamps, and keys
// find their partition by the number of partitions.
import kafkajs, { type Admin } from "kafkajs";
import { untilSo } from "../../loop.ts";
import { FILLING, valuesOnTopics } from "./filling.ts";
import { isMendable, settingsOf, type TopicSettings, type TopicToProvide } from "./topic-settings.ts";

/** The topics differ from the settings; the message names every difference and what to do. */
export class TopicsDiffer extends Error {
  override readonly name = "TopicsDiffer";
  /** Names of the topics that differ only because they are being filled. Undefined when there are other differences. */
  readonly filling: ReadonlySet<string> | undefined;

  constructor(message: string, filling: ReadonlySet<string> | undefined) {
    super(message);
    this.filling = filling;
  }
}

/** Rejects with TopicsDiffer; a missing topic is a difference, too. */
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
  refuse(await differences(admin, found, replicationFactor), missing);
}

/**
 * Sets the values that can be set without a loss; resolves with a line for each. Rejects with TopicsDiffer before any
 * change.
 */
export async function mendTopics(
  admin: Admin,
  existing: readonly TopicToProvide[],
  replicationFactor: number,
): Promise<readonly string[]> {
  const all = await differences(admin, existing, replicationFactor);
  const areMendable = all.every(({ setting, actual, asked }) => isMendable(setting, actual, asked));
  if (!areMendable) refuse(all, []);
  await change(admin, all);
  if (all.length > 0) {
    // Waits until the brokers report the change, because a service that starts earlier would be refused.
    const areSet = async () => (await differences(admin, existing, replicationFactor)).length === 0;
    await untilSo(areSet, { pauseMs: PAUSE_MS, withinMs: PROPAGATED_WITHIN_MS });
  }
  return all.map(({ topic, setting, actual, asked }) => `${topic}: ${setting} was ${actual ?? "unknown"}, is ${asked}`);
}

/** Resolves when the brokers report the value. Other settings of the topics stay as they are. */
export async function setOnTopics(
  admin: Admin,
  names: readonly string[],
  setting: string,
  value: string,
): Promise<void> {
  await alterTopics(admin, names, new Map([[setting, value]]));
  const isSet = async () => [...(await valuesOnTopics(admin, names, setting)).values()].every((each) => each === value);
  if (await untilSo(isSet, { pauseMs: PAUSE_MS, withinMs: SET_WITHIN_MS })) return;
  throw new Error(`the brokers do not take ${setting}=${value}`);
}

/** Sets the values on all topics, whatever they were before. */
export const alterTopics = (admin: Admin, topics: readonly string[], settings: TopicSettings): Promise<void> =>
  change(
    admin,
    topics.flatMap((topic) =>
      Array.from(settings, ([setting, asked]) => ({ topic, setting, actual: undefined, asked })),
    ),
  );

async function change(admin: Admin, news: readonly Difference[]): Promise<void> {
  const byTopic = Map.groupBy(news, ({ topic }) => topic);
  const resources = await Promise.all(Array.from(byTopic, ([topic, own]) => resourceOf(admin, topic, own)));
  if (resources.length > 0) await admin.alterConfigs({ validateOnly: false, resources });
}

interface Difference {
  readonly topic: string;
  readonly setting: string;
  readonly actual: string | undefined;
  readonly asked: string;
}

/** True when each topic has both settings of a topic that is being filled, and no other difference. */
function areOfFilling(differing: readonly Difference[]): boolean {
  const areAll = differing.every(({ setting, actual }) => FILLING.get(setting) === actual);
  return (
    areAll && [...Map.groupBy(differing, ({ topic }) => topic).values()].every((own) => own.length === FILLING.size)
  );
}

function refuse(differing: readonly Difference[], missing: readonly string[]): void {
  const lines = [...missing, ...differing.map(lineOf)];
  if (lines.length === 0) return;
  const areFilling = missing.length === 0 && areOfFilling(differing);
  throw new TopicsDiffer(
    [
      "The topics on the broker are not as the settings ask:",
      ...lines.map((line) => `  ${line}`),
      "npm run topics creates missing topics, lengthens retention, and sets the sizes of messages and segments. For the",
      "others, either give every process the settings with which they were made (CAMERA_PARTITIONS,",
      "CAMERA_LOG_RETENTION_MS, TOPIC_REPLICATION_FACTOR), or change the topic with Kafka's own tools (kafka-configs,",
      "kafka-reassign-partitions). More partitions take a namespace of their own: npm run repartition (docs/growing.md).",
    ].join("\n"),
    areFilling ? new Set(differing.map(({ topic }) => topic)) : undefined,
  );
}

const lineOf = ({ topic, setting, actual, asked }: Difference): string =>
  `${topic}: ${setting} is ${actual ?? "unknown"}, asked for is ${asked}`;

/** Number in Kafka's protocol for a setting that was made for this topic. */
const OF_THIS_TOPIC = 1;

/** The request replaces all settings that were made for a topic, so it repeats those that stay. */
async function resourceOf(admin: Admin, name: string, news: readonly Difference[]) {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type, name }] });
  const own = resources
    .flatMap(({ configEntries }) => configEntries)
    .filter(({ configSource }) => Number(configSource) === OF_THIS_TOPIC)
    .map(({ configName, configValue }) => [configName, configValue] as const);
  const settings = new Map([...own, ...news.map(({ setting, asked }) => [setting, asked] as const)]);
  return { type, name, configEntries: Array.from(settings, ([key, value]) => ({ name: key, value })) };
}

const PROPAGATED_WITHIN_MS = 2_000;
const SET_WITHIN_MS = 15_000;
const PAUSE_MS = 50;

/**
 * Waits a moment for missing topics, because a broker learns a moment later of a topic that another broker has created.
 */
async function listed(admin: Admin, names: readonly string[]): Promise<ReadonlySet<string>> {
  let existing: ReadonlySet<string> = new Set();
  const areKnown = async () => {
    existing = new Set(await admin.listTopics());
    return names.every((name) => existing.has(name));
  };
  await untilSo(areKnown, { pauseMs: PAUSE_MS, withinMs: PROPAGATED_WITHIN_MS });
  return existing;
}

interface Actual {
  readonly topic: TopicToProvide;
  readonly settings: TopicSettings;
}

async function describe(
  admin: Admin,
  topics: readonly TopicToProvide[],
  configNames: readonly string[],
): Promise<Actual[]> {
  const names = topics.map(({ name }) => name);
  const [metadata, configs] = await Promise.all([
    admin.fetchTopicMetadata({ topics: names }),
    admin.describeConfigs({
      includeSynonyms: false,
      resources: names.map((name) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: [...configNames],
      })),
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

async function differences(
  admin: Admin,
  topics: readonly TopicToProvide[],
  replicationFactor: number,
): Promise<Difference[]> {
  if (topics.length === 0) return [];
  const asked = new Map(topics.map((topic) => [topic.name, settingsOf(topic, replicationFactor)]));
  const names = new Set([...asked.values()].flatMap((settings) => [...settings.keys()]));
  const found = await describe(admin, topics, [...names]);
  return found.flatMap(({ topic, settings }) =>
    [
      ["partitions", String(topic.partitions)] as const,
      ["replicas of each partition", String(replicationFactor)] as const,
      ...(asked.get(topic.name) ?? []),
    ]
      .filter(([setting, value]) => settings.get(setting) !== value)
      .map(([setting, value]) => ({ topic: topic.name, setting, actual: settings.get(setting), asked: value })),
  );
}
