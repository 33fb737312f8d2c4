// Other users of the machine reach every port, read the arguments of every process, and look into open directories.
import { execFile } from "node:child_process";
import { chmod, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { Kafka, logLevel } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { startStores } from "../../../services/embedded/stores.ts";
import { tempDir } from "./temp-dir.ts";

const machine = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(KAFKA|SCHEMA_REGISTRY|REDIS|CLICKHOUSE)_/.test(name)),
);

/** The umask of the most careless account; processes inherit it if they start during the test. */
function withOpenUmask(): void {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
}

async function startAll() {
  const dataDir = await tempDir();
  await chmod(dataDir, 0o777);
  const stores = await startStores({ dataDir, env: machine });
  onTestFinished(() => stores.stop());
  const { env } = stores;
  const [redis, registry] = [new URL(env["REDIS_URL"] ?? ""), new URL(env["SCHEMA_REGISTRY_URL"] ?? "")];
  const secrets = [env["KAFKA_SASL_PASSWORD"], env["CLICKHOUSE_PASSWORD"], redis.password, registry.username];
  return { dataDir, env, redis, registry, secrets: secrets.map((secret) => secret ?? "") };
}

test("only the owner gets into a store or at a password", async () => {
  withOpenUmask();
  const { dataDir, env, redis, registry, secrets } = await startAll();

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
