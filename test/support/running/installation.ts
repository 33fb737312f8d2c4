// A separate namespace on the shared stores: topics in place, and the clients with which a test fills and reads them.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import type { z } from "zod";
import { type Topic, topicName, topics, topicsOf } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { readAll } from "../../../services/common/kafka/read/read-some.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createPublisher, type Publisher } from "../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createNewDatabase } from "./new-database.ts";
import { type StackEnv, useStack } from "./stack.ts";

type Settings = Readonly<Record<string, string>>;

/** The caller removes it. `settings`: more variables for the processes that run on it. */
export async function provideInstallation(prefix: string, settings: Settings = {}) {
  const { env, uniqueName } = useStack();
  const namespace = uniqueName(prefix);
  const mediaDir = join(tmpdir(), namespace);
  const names = { TRACKLOG_NAMESPACE: namespace, CLICKHOUSE_DATABASE: namespace, MEDIA_DIR: mediaDir };
  const own = { ...names, SECRETS_KEY: randomBytes(32).toString("base64"), ...settings };
  const variables: StackEnv & typeof own = { ...env, ...own };
  const provided = loadConfig(provisionEnv, variables);
  const log = createLog("test", process.env["LOG_LEVEL"] ?? "silent");
  const kafka = createKafka("test", provided, log);
  const admin = kafka.admin();
  await admin.connect();
  const wanted = topicsOf(namespace, provided.CAMERA_PARTITIONS, provided.CAMERA_LOG_RETENTION_MS);
  const provide = () => provideTopics(admin, wanted, provided.TOPIC_REPLICATION_FACTOR);
  await provide();
  const topic = (name: Topic) => topicName(namespace, name);
  const all = (Object.keys(topics) as Topic[]).map(topic);
  const codec = await createCodec(loadConfig(registryEnv, env));
  const opened: (() => Promise<unknown>)[] = [];

  return {
    namespace,
    variables,
    log,
    kafka,
    admin,
    codec,
    topic,
    /** Again, after a topic was deleted. */
    provide,
    config: <T extends z.ZodObject>(schema: T): z.output<T> => loadConfig(schema, variables),
    read: (name: Topic) => readAll({ kafka, groupPrefix: `${namespace}.read`, topic: topic(name), log }),

    /** Started, for all topics. */
    async openPublisher(): Promise<Publisher> {
      const limits = { lingerMs: 0, maxBatchBytes: 1024 * 1024, maxQueueBytes: 256 * 1024 * 1024, timeoutMs: 30_000 };
      const publisher = createPublisher({ kafka, topics: all, log, ...limits });
      await publisher.start();
      opened.push(publisher.stop);
      return publisher;
    },

    /** A database with all tables. */
    async openHistory(): Promise<ClickHouseClient> {
      const config = loadConfig(clickhouseEnv, variables);
      await createNewDatabase(config, namespace);
      const client = createClickHouse(config);
      opened.push(async () => {
        await client.command({ query: `DROP DATABASE IF EXISTS ${namespace}` });
        await client.close();
      });
      return client;
    },

    /** Topics, tables and clients. */
    async remove(): Promise<void> {
      await Promise.all(opened.map((close) => close()));
      await admin.deleteTopics({ topics: all });
      await admin.disconnect();
      await rm(mediaDir, { recursive: true, force: true });
    },
  };
}
