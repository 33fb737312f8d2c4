// Promises of all four stores together. A start of all costs fifteen seconds of processor time, so the tests share one.
import { execFile } from "node:child_process";
import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SchemaType } from "@kafkajs/confluent-schema-registry";
import { Redis } from "ioredis";
import { Kafka, logLevel } from "kafkajs";
import { beforeAll, expect, test } from "vitest";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { openRegistry } from "../../../services/common/registry/client.ts";
import { type Stores, startStores } from "../../../services/embedded/stores.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { embeddedClickHouse, hasProcess, machineEnv } from "./machine.ts";
import { tempDir } from "./temp-dir.ts";

let dataDir: string;
let first: Stores;
beforeAll(async () => {
  dataDir = await tempDir();
  await chmod(dataDir, 0o777);
  // The umask of the most careless account; the processes inherit it.
  const before = process.umask(0);
  try {
    first = await start();
  } finally {
    process.umask(before);
  }
});

async function start(): Promise<Stores> {
  const stores = await startStores({ dataDir, env: machineEnv });
  atTheEnd(() => stores.stop());
  return stores;
}

// Other users of the machine reach every port, read the arguments of every process, and look into open directories.
test("only the owner gets into a store or at a password", async () => {
  const { env } = first;
  const [redis, registry] = [new URL(env["REDIS_URL"] ?? ""), new URL(env["SCHEMA_REGISTRY_URL"] ?? "")];
  const passwords = [env["KAFKA_SASL_PASSWORD"], env["CLICKHOUSE_PASSWORD"], redis.password, registry.username];
  const secrets = passwords.map((secret) => secret ?? "");

  expect(secrets.map((secret) => secret.length > 20)).toEqual([true, true, true, true]);
  await expect(pingRedis(redis.host)).rejects.toThrow("NOAUTH");
  await expect(listTopics(env["KAFKA_BROKERS"] ?? "")).rejects.toThrow();
  await expect(listTopics(env["KAFKA_BROKERS"] ?? "", "guessed")).rejects.toThrow("Authentication failed");
  expect((await fetch(`http://${registry.host}${registry.pathname}/subjects`)).status).toBe(401);
  expect((await fetch(`${env["CLICKHOUSE_URL"]}/?query=SELECT+1`)).ok).toBe(false);
  expect(await readFile(join(dataDir, "kafka/server.properties"), "utf8")).not.toMatch(/[:=,]PLAINTEXT/);
  const { stdout: processes } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "args"], { maxBuffer: 2 ** 26 });
  expect(secrets.filter((secret) => processes.includes(secret))).toEqual([]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  const holders = await filesWith(dataDir, secrets);
  expect(holders.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["redis.conf", "server.properties", "stores.json"]),
  );
  expect(holders.filter(({ mode }) => mode !== 0o600)).toEqual([]);
});

// The last: it stops the stores.
test("what was written to all four stores is there after a restart", async () => {
  const schemaId = await writeEverywhere(first);
  const pids = Object.values(first.pids());

  await first.stop();

  expect(pids).toHaveLength(4);
  expect(pids.filter(hasProcess)).toEqual([]);
  const second = await start();
  expect(await readEverywhere(second, schemaId)).toEqual({
    highWatermark: "1",
    value: "kept",
    rows: [{ text: "kept" }],
    schemaIdOnWire: true,
  });
});

const variable = (stores: Stores, name: string): string => stores.env[name] ?? "";

async function writeEverywhere(stores: Stores): Promise<number> {
  const kafka = createKafka("test", loadConfig(kafkaEnv, stores.env), createLog("test", "silent"));
  const admin = kafka.admin();
  const producer = kafka.producer();
  await Promise.all([admin.connect(), producer.connect()]);
  await createTopics(admin, [{ topic: "log", numPartitions: 1 }]);
  await producer.send({ topic: "log", messages: [{ value: "kept" }] });
  await Promise.all([admin.disconnect(), producer.disconnect()]);

  const redis = new Redis(variable(stores, "REDIS_URL"));
  await redis.set("key", "kept");
  redis.disconnect();

  const clickhouse = embeddedClickHouse(stores);
  await clickhouse.command({ query: "CREATE DATABASE d" });
  await clickhouse.command({ query: "CREATE TABLE d.t (text String) ENGINE = MergeTree ORDER BY text" });
  await clickhouse.insert({ table: "d.t", values: [{ text: "kept" }], format: "JSONEachRow" });
  await clickhouse.close();

  const registry = openRegistry(loadConfig(registryEnv, stores.env));
  const schema = JSON.stringify({ type: "record", name: "R", namespace: "n", fields: [{ name: "a", type: "string" }] });
  const { id } = await registry.register({ type: SchemaType.AVRO, schema }, { subject: "R" });
  return id;
}

async function readEverywhere(stores: Stores, schemaId: number) {
  const kafka = createKafka("test", loadConfig(kafkaEnv, stores.env), createLog("test", "silent"));
  const admin = kafka.admin();
  await admin.connect();
  const [partition] = await admin.fetchTopicOffsets("log");
  await admin.disconnect();

  const redis = new Redis(variable(stores, "REDIS_URL"));
  const value = await redis.get("key");
  redis.disconnect();

  const clickhouse = embeddedClickHouse(stores);
  const result = await clickhouse.query({ query: "SELECT text FROM d.t", format: "JSONEachRow" });
  const rows = await result.json();
  await clickhouse.close();

  const registry = openRegistry(loadConfig(registryEnv, stores.env));
  const encoded = await registry.encode(schemaId, { a: "x" });
  return { highWatermark: partition?.high, value, rows, schemaIdOnWire: encoded.readInt32BE(1) === schemaId };
}

async function pingRedis(host: string): Promise<string> {
  const client = new Redis(`redis://${host}`, { lazyConnect: true });
  client.on("error", () => {});
  try {
    return await client.ping();
  } finally {
    client.disconnect();
  }
}

async function listTopics(broker: string, password?: string): Promise<string[]> {
  const sasl = password === undefined ? {} : { sasl: { mechanism: "plain", username: "tracklog", password } as const };
  const options = { logLevel: logLevel.NOTHING, retry: { retries: 0 }, requestTimeout: 5_000 };
  const admin = new Kafka({ brokers: [broker], ...options, ...sasl }).admin();
  try {
    await admin.connect();
    return await admin.listTopics();
  } finally {
    await admin.disconnect();
  }
}

async function filesWith(dir: string, secrets: readonly string[]) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const found: { name: string; mode: number }[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, "latin1");
    if (secrets.some((secret) => text.includes(secret)))
      found.push({ name: entry.name, mode: (await stat(file)).mode & 0o777 });
  }
  return found;
}
