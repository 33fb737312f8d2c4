// Closes the old namespace and opens the new one. Each step may be repeated: a change-over that ended in the middle
// goes on where it ended.

import type { Admin, Kafka } from "kafkajs";
import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { headersOf } from "../../../schemas/headers.ts";
import { derivedId } from "../../../schemas/identity.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { groupName, type Projected, projectedTopics, type Topic, topicName } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { ConfigError } from "../../common/config.ts";
import type { EndFor, EndOffsets, PartitionEnds } from "../../common/kafka/read/partition-ends.ts";
import { alterTopics } from "../../common/kafka/write/compare-topics.ts";
import { CLOSED, isFilling } from "../../common/kafka/write/filling.ts";
import { createPublisher } from "../../common/kafka/write/publisher.ts";
import { settingsOf, type TopicToProvide } from "../../common/kafka/write/topic-settings.ts";
import { STOP_DEADLINE_MS } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { pause } from "../../common/loop.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { carryChroniclesOver, unraised } from "./carry-chronicles.ts";
import type { LogCopy } from "./copy-log.ts";
import { allTopics } from "./copy-log.ts";

export interface ChangeOverDeps {
  readonly kafka: Kafka;
  readonly admin: Admin;
  readonly codec: Codec;
  readonly redis: RedisClient;
  readonly history: { readonly from: QueryClient; readonly to: QueryClient };
  readonly ends: Readonly<Record<EndFor, PartitionEnds>>;
  /** Namespaces. */
  readonly from: string;
  readonly to: string;
  /** The new topics, as they are when they are open. */
  readonly wanted: readonly TopicToProvide[];
  readonly replicationFactor: number;
  readonly log: Log;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The state machine, webhooks and the projector still write these when the others are closed: what follows from the
 * last messages.
 */
const DERIVED: readonly Topic[] = [
  "zones",
  "zone-intersections",
  "geofence-intersections",
  "signals",
  "webhook-deliveries",
  "dead-letters",
];
/** Webhooks of the old namespace delivers what waits until it is stopped. */
const LAST = "webhook-deliveries";
const ALL_BUT_LAST = allTopics.filter((topic) => topic !== LAST);

const CHECK_MS = 50;
const SAY_EVERY_MS = 5_000;
/** The copy counts as following when it was complete less than this ago. */
const FOLLOWING_MS = 3_000;
/** State machine and projector count as following when they reach the ends of a moment within this time. */
const ROLES_FOLLOW_MS = 10_000;

export const isOpen = async ({ admin, to }: Pick<ChangeOverDeps, "admin" | "to">): Promise<boolean> =>
  !(await isFilling(admin, topicName(to, "camera-log")));

type ResumeDeps = Pick<ChangeOverDeps, "admin" | "from" | "to">;

/**
 * Must be called before anything is done to a namespace that is open. Rejects with ConfigError unless this command has
 * opened it, and is asked to finish that.
 */
export async function checkOwn({ admin, from, to }: ResumeDeps, changesOver: boolean): Promise<void> {
  const asked = { groupId: groupName(to, "repartition"), topics: allTopics.map((topic) => topicName(from, topic)) };
  const found = await admin.fetchOffsets(asked);
  if (!found.some(({ partitions }) => partitions.some(({ offset }) => Number(offset) >= 0))) {
    throw new ConfigError(`${to} is in use, and was not copied from this namespace: --namespace wants a new name.`);
  }
  if (!changesOver) throw new ConfigError(`${to} is open already. --change-over finishes the change-over.`);
}

/** Resolves when both the copy and the roles of the new namespace follow the old one. */
export async function awaitFollowing(copy: LogCopy, deps: ChangeOverDeps): Promise<void> {
  await until("the copy follows", async () => lagOf(copy), deps);
  for (let tookMs = Number.POSITIVE_INFINITY; tookMs > ROLES_FOLLOW_MS; ) {
    // The namespace goes on growing, so the roles must reach the ends of one moment.
    const goal = await endsOfProjected(deps, deps.to);
    const startedAt = performance.now();
    const follow = "state machine and projector of the new namespace follow";
    await until(follow, () => roles(deps, deps.to, deps.history.to, goal), deps);
    tookMs = performance.now() - startedAt;
  }
}

const lagOf = (copy: LogCopy): string | undefined => {
  const { messages, ms } = copy.lag(allTopics);
  return ms < FOLLOWING_MS ? undefined : `${messages} messages left to copy`;
};

/** Resolves with the time, ms, for which neither namespace took messages. */
export async function changeOver(copy: LogCopy, deps: ChangeOverDeps): Promise<number> {
  const { admin, from, to, print } = deps;
  const named = (namespace: string, topics: readonly Topic[]) => topics.map((topic) => topicName(namespace, topic));
  const inputs = allTopics.filter((topic) => !DERIVED.includes(topic));
  const closedAt = performance.now();
  await alterTopics(admin, named(from, inputs), CLOSED);
  print("closed: the old namespace takes no message any more, and its callers get UNAVAILABLE");
  await until("unfinished transactions end", () => openTransactions(inputs, deps), deps);
  await until("state machine and projector of the old namespace finish", () => oldRoles(deps), deps);
  await until(
    "webhooks of the old namespace raises the signals of chronicles (or is stopped)",
    () => unraised(deps),
    deps,
  );
  await until("the copy is complete", () => uncopied(copy, ALL_BUT_LAST, deps), deps);
  await until("state machine and projector of the new namespace finish", () => newRoles(deps), deps);
  await carryChroniclesOver(copy, deps);
  // From here on others write to them, and a late message of the old namespace would end the command.
  await copy.end(ALL_BUT_LAST);
  await openAllButLast(deps);
  const pausedMs = performance.now() - closedAt;
  await markPartitions(deps);
  print(`open: ${to === "" ? "the new namespace" : to} takes messages. Paused for ${Math.round(pausedMs)} ms`);
  return pausedMs;
}

/** Lets webhooks of the new namespace deliver, once that of the old one has stopped. Then nothing is written there. */
export async function handDeliveriesOver(copy: LogCopy, deps: ChangeOverDeps): Promise<void> {
  const { admin, from } = deps;
  await until("stop the processes of the old namespace", () => oldWebhooks(deps), deps);
  // A process leaves its group before it has written the last ends of deliveries.
  await pause(STOP_DEADLINE_MS, deps.signal);
  await until("the deliveries are copied", () => uncopied(copy, [LAST], deps), deps);
  await openTopics(deps, [LAST]);
  await alterTopics(
    admin,
    DERIVED.map((topic) => topicName(from, topic)),
    CLOSED,
  );
}

/** Repeats the check until it finds nothing that is missing. */
async function until(
  goal: string,
  missing: () => Promise<string | undefined>,
  { print, signal }: ChangeOverDeps,
): Promise<void> {
  let saidAt = performance.now();
  for (;;) {
    const found = await missing();
    if (found === undefined) return;
    if (signal.aborted) throw new Error(`stopped while waiting: ${goal}`);
    if (performance.now() - saidAt > SAY_EVERY_MS) {
      saidAt = performance.now();
      print(`waiting until ${goal}: ${found}`);
    }
    await pause(CHECK_MS, signal);
  }
}

async function openTransactions(topics: readonly Topic[], { ends, from }: ChangeOverDeps): Promise<string | undefined> {
  const open = await Promise.all(
    topics.map(async (topic) => {
      const name = topicName(from, topic);
      const [written, readable] = await Promise.all([ends.writers.ask(name), ends.readers.ask(name)]);
      const found = [...written].find(([partition, end]) => end === undefined || readable.get(partition) !== end);
      return found === undefined ? [] : [`${name}/${found[0]}`];
    }),
  );
  return open.flat()[0];
}

type EndsByTopic = ReadonlyMap<Projected, EndOffsets>;

/** Webhooks may write deliveries until it is stopped, so nobody waits for them. */
const awaited = projectedTopics.filter((topic) => topic !== LAST);

async function endsOfProjected(deps: ChangeOverDeps, namespace: string): Promise<EndsByTopic> {
  const found = await Promise.all(awaited.map((topic) => deps.ends.readers.ask(topicName(namespace, topic))));
  return new Map(awaited.map((topic, i) => [topic, found[i] ?? new Map()]));
}

const oldRoles = async (deps: ChangeOverDeps) =>
  roles(deps, deps.from, deps.history.from, await endsOfProjected(deps, deps.from));
const newRoles = async (deps: ChangeOverDeps) =>
  roles(deps, deps.to, deps.history.to, await endsOfProjected(deps, deps.to));

async function roles(
  deps: ChangeOverDeps,
  namespace: string,
  history: QueryClient,
  goal: EndsByTopic,
): Promise<string | undefined> {
  for (const [partition, end = 0] of goal.get("camera-log") ?? []) {
    const next = Number(await deps.redis.hget(partitionKeys(namespace, partition).position, "next"));
    if (next < end) return `state machine: ${end - next} messages of partition ${partition}`;
  }
  const stored = await Promise.all(
    [...goal.keys()].map((topic) => projectedUpTo(history, topicName(namespace, topic))),
  );
  for (const [i, [topic, ofTopic]] of [...goal].entries()) {
    const name = topicName(namespace, topic);
    for (const [partition, end = 0] of ofTopic) {
      const left = end - (stored[i]?.get(partition) ?? 0);
      if (left > 0) return `projector: ${left} messages of ${name}/${partition}`;
    }
  }
  return undefined;
}

/** Asks the broker itself: a lag that the copy has noted may be older than the last message. */
async function uncopied(copy: LogCopy, topics: readonly Topic[], deps: ChangeOverDeps): Promise<string | undefined> {
  const found = await Promise.all(topics.map((topic) => deps.ends.readers.ask(topicName(deps.from, topic))));
  for (const [i, topic] of topics.entries()) {
    for (const [partition, end = 0] of found[i] ?? []) {
      const left = end - copy.copiedUpTo(topic, partition);
      if (left > 0) return `${left} messages of ${topic}/${partition}`;
    }
  }
  return undefined;
}

async function oldWebhooks({ admin, from }: ChangeOverDeps): Promise<string | undefined> {
  const { groups } = await admin.describeGroups([groupName(from, "webhooks")]);
  const members = groups.reduce((sum, group) => sum + group.members.length, 0);
  return members === 0 ? undefined : `${members} processes of webhooks are at work`;
}

/** May be repeated. */
export const openAllButLast = (deps: ChangeOverDeps): Promise<void> => openTopics(deps, ALL_BUT_LAST);

async function openTopics(deps: ChangeOverDeps, topics: readonly Topic[]): Promise<void> {
  const { admin, to, wanted, replicationFactor } = deps;
  const names = new Set(topics.map((topic) => topicName(to, topic)));
  for (const [settings, group] of Map.groupBy(
    wanted.filter(({ name }) => names.has(name)),
    (topic) => JSON.stringify([...settingsOf(topic, replicationFactor)]),
  )) {
    await alterTopics(
      admin,
      group.map(({ name }) => name),
      new Map(JSON.parse(settings)),
    );
  }
  const last = [...names].at(-1) ?? "";
  await until("the brokers know it", async () => ((await isFilling(admin, last)) ? last : undefined), deps);
}

/**
 * Writes to each partition of the new camera-log. While the newest message of a partition is a copy, its state
 * machine leaves the ends of tracks to the old one. The event says nothing new: the log has named later changes of
 * the catalog.
 */
export async function markPartitions({ kafka, codec, to, log }: ChangeOverDeps): Promise<void> {
  const topic = topicName(to, "camera-log");
  const publisher = createPublisher({
    kafka,
    topics: [topic],
    log,
    lingerMs: 0,
    maxBatchBytes: MIB,
    maxQueueBytes: 4 * MIB,
    timeoutMs: 30_000,
  });
  await publisher.start();
  try {
    const value = codec.encode("GeofencesAdvanced", { upTo: 0 });
    const marks = Array.from({ length: publisher.partitionsOf(topic) }, (_, partition) => {
      const id = derivedId("geofences-advanced", to, `${partition}`, "opened");
      const headers = headersOf({ id, type: "GeofencesAdvanced", source: "tracklog/repartition", timeMs: Date.now() });
      return { topic, key: "", partition, value, headers };
    });
    await publisher.publish(marks);
  } finally {
    await publisher.stop();
  }
}
