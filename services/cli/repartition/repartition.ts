// The steps of a repartition: topics, history, copy, and the change-over. Each may be repeated.
import type { Admin } from "kafkajs";
import { namedKinds } from "../../../projections/history/kinds.ts";
import { layoutOf } from "../../../projections/history/layout/layout.ts";
import { migrate } from "../../../projections/history/migrations/migrate.ts";
import { type Topic, topicName, topicsOf } from "../../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../../common/clickhouse.ts";
import { ConfigError } from "../../common/config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { keepAllHeaders } from "../../common/kafka/internals/decode-record.ts";
import { topicIds } from "../../common/kafka/log-id.ts";
import { countPartitions, offsetRanges } from "../../common/kafka/offsets.ts";
import { createPartitionEnds } from "../../common/kafka/read/partition-ends.ts";
import { FILLING } from "../../common/kafka/write/filling.ts";
import { createTopics } from "../../common/kafka/write/provision.ts";
import { settingsOf, type TopicToProvide } from "../../common/kafka/write/topic-settings.ts";
import type { Log } from "../../common/log.ts";
import { pause } from "../../common/loop.ts";
import { createRedisClient } from "../../common/redis/cluster.ts";
import { createCodec } from "../../common/registry/codec.ts";
import {
  awaitFollowing,
  type ChangeOverDeps,
  changeOver,
  checkOwn,
  handDeliveriesOver,
  isOpen,
  markPartitions,
  openAllButLast,
} from "./change-over.ts";
import { cloneHistory } from "./clone-history.ts";
import type { RepartitionConfig } from "./config.ts";
import { allTopics, createLogCopy, type LogCopy } from "./copy-log.ts";
import { countsFlaw } from "./places.ts";

export interface RepartitionOptions {
  /** The settings of the present namespace. */
  readonly config: RepartitionConfig;
  /** The new namespace, and its number of partitions. */
  readonly to: string;
  readonly partitions: number;
  /** The new database. Undefined for the one that the new namespace has by default. */
  readonly database: string | undefined;
  readonly changesOver: boolean;
  readonly log: Log;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** No process starts on a namespace without it, so it is created when everything older is copied. */
const LAST_CREATED: Topic = "dead-letters";
const SAY_EVERY_MS = 5_000;
const CHECK_MS = 200;
/** The copy follows once it was complete less than this ago. The change-over waits for less. */
const FOLLOWING_MS = 10_000;

/** Resolves after the change-over, or, without one, when the signal aborts. */
export async function repartition(options: RepartitionOptions): Promise<void> {
  const { config, to, log } = options;
  if (to === config.TRACKLOG_NAMESPACE)
    throw new ConfigError("--namespace wants another name than the present namespace has.");
  const databases = databasesOf(options);
  keepAllHeaders();
  const kafka = createKafka("tracklog-repartition", config, log);
  const admin = kafka.admin();
  const redis = createRedisClient(config, log);
  const ends = { readers: createPartitionEnds(kafka, "readers"), writers: createPartitionEnds(kafka, "writers") };
  const [source, target] = [createClickHouse(config, databases.from), createClickHouse(config, databases.to)];
  try {
    await Promise.all([admin.connect(), redis.start()]);
    const codec = await createCodec(config);
    const from = config.TRACKLOG_NAMESPACE;
    const counts = { from: await countPartitions(admin, topicName(from, "camera-log")), to: options.partitions };
    const flaw = countsFlaw(counts);
    if (flaw !== undefined) throw new ConfigError(flaw);
    const wanted = topicsOf(to, counts.to, config.CAMERA_LOG_RETENTION_MS);
    const { TOPIC_REPLICATION_FACTOR: replicationFactor } = config;
    const deps = { ...options, kafka, admin, codec, from, wanted, replicationFactor };
    const changing: ChangeOverDeps = { ...deps, redis: redis.client, ends, history: { from: source, to: target } };
    if ((await admin.listTopics()).includes(topicName(to, "camera-log"))) {
      await checkPartitions(admin, options);
      if (await isOpen(changing)) await checkOwn(changing, options.changesOver);
    }
    const copy = createLogCopy({ ...deps, counts });
    await createMissing(
      deps,
      allTopics.filter((topic) => topic !== LAST_CREATED),
    );
    const clone = async () => {
      const layout = layoutOf({ cluster: config.CLICKHOUSE_CLUSTER, database: databases.to });
      await migrate({ admin: source, client: target, database: databases.to, layout });
      const logIds = await topicIds(kafka, [...namedKinds(to).keys()]);
      const rangesOf = (topic: string) => offsetRanges(admin, topic);
      const tables = await cloneHistory({ source, target, databases, from, to, logIds, rangesOf });
      options.print(tables === 0 ? "the history was cloned before" : `history: ${tables} tables cloned`);
    };
    try {
      await copy.start();
      await Promise.race([steps({ ...options, copy, clone, deps, changing }), copy.failed]);
    } finally {
      await copy.stop();
    }
  } finally {
    await Promise.all([admin.disconnect(), redis.stop(), source.close(), target.close()]);
    await Promise.all([ends.readers.close(), ends.writers.close()]);
  }
}

interface Steps extends RepartitionOptions {
  readonly copy: LogCopy;
  readonly clone: () => Promise<void>;
  readonly deps: CreatingDeps;
  readonly changing: ChangeOverDeps;
}

async function steps({ copy, clone, deps, changing, changesOver, print, signal, to }: Steps): Promise<void> {
  if (await isOpen(changing)) {
    print(`${to} is open already`);
    await copy.follow(["webhook-deliveries"]);
    // The command may have ended between the first topic and the last.
    await openAllButLast(changing);
    await markPartitions(changing);
    return finish(copy, changing);
  }
  const first = allTopics.filter((topic) => topic !== LAST_CREATED);
  await copy.follow(first);
  await clone();
  await untilFollowing(copy, first, { print, signal });
  if (signal.aborted) return;
  await createMissing(deps, [LAST_CREATED]);
  await copy.follow([LAST_CREATED]);
  print(`following: start state machine and projector of ${to}; the other processes wait until it is open`);
  if (!changesOver) return follow(copy, { print, signal });
  await awaitFollowing(copy, changing);
  await changeOver(copy, changing);
  await finish(copy, changing);
}

async function finish(copy: LogCopy, changing: ChangeOverDeps): Promise<void> {
  await handDeliveriesOver(copy, changing);
  changing.print("done: nothing is read from the old namespace any more, and its topics can be deleted");
}

type Saying = Pick<RepartitionOptions, "print" | "signal">;

async function untilFollowing(copy: LogCopy, wanted: readonly Topic[], { print, signal }: Saying): Promise<void> {
  for (let round = 1; !signal.aborted && copy.lag(wanted).ms > FOLLOWING_MS; round++) {
    if ((round * CHECK_MS) % SAY_EVERY_MS === 0) print(`copying: ${copy.lag(wanted).messages} messages left`);
    await pause(CHECK_MS, signal);
  }
}

async function follow(copy: LogCopy, { print, signal }: Saying): Promise<void> {
  while (!signal.aborted) {
    await pause(SAY_EVERY_MS, signal);
    const { messages, ms } = copy.lag(allTopics);
    print(`following: ${messages} messages left, complete ${Math.round(ms)} ms ago`);
  }
}

/** A command that goes on with another number would look for copies in partitions that hold others. */
async function checkPartitions(admin: Admin, { to, partitions }: RepartitionOptions): Promise<void> {
  const begun = await countPartitions(admin, topicName(to, "camera-log"));
  if (begun === partitions) return;
  throw new ConfigError(`--partitions wants ${begun}: the copy into ${to} began with this number.`);
}

interface CreatingDeps {
  readonly admin: Admin;
  readonly to: string;
  readonly wanted: readonly TopicToProvide[];
  readonly replicationFactor: number;
}

async function createMissing({ admin, to, wanted, replicationFactor }: CreatingDeps, topics: readonly Topic[]) {
  const existing = new Set(await admin.listTopics());
  const names = new Set(topics.map((topic) => topicName(to, topic)));
  const missing = wanted.filter(({ name }) => names.has(name) && !existing.has(name));
  if (missing.length === 0) return;
  await createTopics(
    admin,
    missing.map((topic) => ({
      topic: topic.name,
      numPartitions: topic.partitions,
      replicationFactor,
      configEntries: Array.from(new Map([...settingsOf(topic, replicationFactor), ...FILLING]), ([name, value]) => {
        return { name, value };
      }),
    })),
  );
}

function databasesOf({ config, to, database }: RepartitionOptions) {
  if (config.CLICKHOUSE_CLUSTER !== "") throw new ConfigError("A history on a cluster of ClickHouse cannot be cloned.");
  const from = databaseOf(config);
  const own = database ?? databaseOf({ CLICKHOUSE_DATABASE: "", TRACKLOG_NAMESPACE: to });
  if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(own)) throw new ConfigError("--database wants letters, digits and _ only.");
  if (own === from) throw new ConfigError(`--database wants another database than ${from}.`);
  return { from, to: own };
}
