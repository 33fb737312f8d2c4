// The stores of a command: the environment's, else those that run on the data directory, else a message.
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import {
  loadCommandConfig,
  type RunningStores,
  runningStoresFile,
} from "../../../../services/common/command-config.ts";
import { clickhouseEnv, kafkaEnv, namespaceEnv, registryEnv } from "../../../../services/common/config.ts";
import { secretsEnv } from "../../../../services/common/sealed.ts";
import { announceStores } from "../../../../services/embedded/announce.ts";
import { freePort, LOOPBACK } from "../../../../services/embedded/tools/free-port.ts";

const schema = z.object({ ...kafkaEnv.shape, ...registryEnv.shape, ...namespaceEnv.shape });
const stores = { KAFKA_BROKERS: "127.0.0.1:1", SCHEMA_REGISTRY_URL: "http://127.0.0.1:2" };

/** A port that answers until the test is over, or one that does not. */
async function port(answering: boolean): Promise<number> {
  const port = await freePort();
  if (!answering) return port;
  const server = createServer().listen(port, LOOPBACK);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return port;
}

async function dataDirWith(running: Partial<RunningStores> | string | undefined): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "tracklog-command-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const whole = { pid: process.pid, listening: [], stores, settings: {} };
  const text = typeof running === "string" ? running : JSON.stringify({ ...whole, ...running });
  if (running !== undefined) await writeFile(runningStoresFile(dir), text);
  return dir;
}

const at = async (answering: boolean) => [{ host: LOOPBACK, port: await port(answering) }];
/** Above the greatest process id of any system. */
const NOBODY = 2 ** 30;

test("stores that run are found, with the namespace that they were started with", async () => {
  const running = { listening: [...(await at(false)), ...(await at(true))], settings: { TRACKLOG_NAMESPACE: "n" } };

  expect(await loadCommandConfig(schema, { TRACKLOG_DATA_DIR: await dataDirWith(running) })).toMatchObject({
    KAFKA_BROKERS: ["127.0.0.1:1"],
    SCHEMA_REGISTRY_URL: "http://127.0.0.1:2",
    TRACKLOG_NAMESPACE: "n",
  });
});

test("what is set wins", async () => {
  const env = { TRACKLOG_DATA_DIR: await dataDirWith({ settings: { TRACKLOG_NAMESPACE: "n" } }) };

  expect(await loadCommandConfig(schema, { ...env, TRACKLOG_NAMESPACE: "mine" })).toMatchObject({
    KAFKA_BROKERS: ["127.0.0.1:1"],
    TRACKLOG_NAMESPACE: "mine",
  });
});

test("the key of the running services is found, unless another one is set in either form", async () => {
  const env = { TRACKLOG_DATA_DIR: await dataDirWith(undefined) };
  const file = join(env.TRACKLOG_DATA_DIR, "key");
  await writeFile(file, "a".repeat(64));
  await announceStores(env.TRACKLOG_DATA_DIR, { SECRETS_KEY_FILE: file }, {});
  const keyOf = async (set: object) => {
    const { SECRETS_KEY } = await loadCommandConfig(z.object({ ...schema.shape, ...secretsEnv.shape }).partial(), {
      ...env,
      ...set,
    });
    return SECRETS_KEY;
  };

  expect(await keyOf({})).toEqual(Buffer.alloc(32, 0xaa));
  expect(await keyOf({ SECRETS_KEY: "b".repeat(64) })).toEqual(Buffer.alloc(32, 0xbb));
});

test("whoever names another store gets nothing of the running ones", async () => {
  const env = { TRACKLOG_DATA_DIR: await dataDirWith({}), KAFKA_BROKERS: "elsewhere:9092" };

  await expect(loadCommandConfig(schema, env)).rejects.toThrow("SCHEMA_REGISTRY_URL is not set");
  expect(await loadCommandConfig(kafkaEnv, env)).toMatchObject({ KAFKA_BROKERS: ["elsewhere:9092"] });
});

test.each<[string, () => Promise<Partial<RunningStores> | string | undefined>]>([
  ["no file", async () => undefined],
  ["a file of something else", async () => "no JSON {"],
  ["a file whose process is gone", async () => ({ pid: NOBODY, listening: await at(true) })],
  ["a file whose process id went to somebody else", async () => ({ listening: await at(false) })],
])("%s means that there are none, which is said in one sentence", async (_, running) => {
  const dir = await dataDirWith(await running());

  await expect(loadCommandConfig(schema, { TRACKLOG_DATA_DIR: dir })).rejects.toThrow(
    `No stores are running on ${dir}: start them with npm start, or set KAFKA_BROKERS (host:port, several separated by commas) and SCHEMA_REGISTRY_URL (a URL such as http://127.0.0.1:8081/apis/ccompat/v7).`,
  );
});

test("a command learns of the stores that it needs, and of no others", async () => {
  const refusal = loadCommandConfig(clickhouseEnv, { TRACKLOG_DATA_DIR: await dataDirWith(undefined) });

  await expect(refusal).rejects.toThrow(/^No stores .* or set CLICKHOUSE_URL \([^)]+\)\.$/);
});
