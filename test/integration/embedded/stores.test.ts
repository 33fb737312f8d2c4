import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { type Stores, startStores } from "../../../services/embedded/stores.ts";
import { embeddedClickHouse, hasProcess, machineEnv } from "./machine.ts";
import { tempDir } from "./temp-dir.ts";

/** Only Redis and ClickHouse are started: they need no Java and are up at once. */
const quick = { ...machineEnv, KAFKA_BROKERS: "unused:1", SCHEMA_REGISTRY_URL: "http://unused" };

async function start(dataDir: string, env: NodeJS.ProcessEnv): Promise<Stores> {
  const stores = await startStores({ dataDir, env });
  onTestFinished(() => stores.stop());
  return stores;
}

const variable = (stores: Stores, name: string): string => stores.env[name] ?? "";

test("a store whose variable is set is passed through and not started", async () => {
  const stores = await start(await tempDir(), {
    ...quick,
    CLICKHOUSE_URL: "http://elsewhere:8123",
    CLICKHOUSE_USER: "me",
  });

  expect(Object.keys(stores.pids())).toEqual(["redis"]);
  expect(stores.env).toMatchObject({
    KAFKA_BROKERS: "unused:1",
    SCHEMA_REGISTRY_URL: "http://unused",
    CLICKHOUSE_URL: "http://elsewhere:8123",
    CLICKHOUSE_USER: "me",
  });
});

test("a second launcher on the same directory is refused", async () => {
  const dataDir = await tempDir();
  await start(dataDir, quick);

  await expect(start(dataDir, quick)).rejects.toThrow(
    `The data directory ${dataDir} is in use: stop the tracklog that runs on it, or choose another one with TRACKLOG_DATA_DIR.`,
  );
});

test("a store that dies comes back at its address", async () => {
  const stores = await start(await tempDir(), quick);
  const redis = new Redis(variable(stores, "REDIS_URL"));
  onTestFinished(() => redis.disconnect());
  redis.on("error", () => {});
  await redis.set("key", "kept");
  const before = stores.pids().redis ?? 0;

  process.kill(before, "SIGKILL");

  await expect.poll(() => redis.get("key").catch(() => undefined), { timeout: 20_000 }).toBe("kept");
  expect(stores.pids().redis).not.toBe(before);
});

test("a halted store stays away until it is resumed at its address", async () => {
  const stores = await start(await tempDir(), quick);
  const ping = () => fetch(`${variable(stores, "CLICKHOUSE_URL")}/ping`).then((response) => response.text());

  await stores.halt("clickhouse");

  await expect(ping()).rejects.toThrow();
  expect(stores.pids().clickhouse).toBeUndefined();
  await stores.resume("clickhouse");
  expect(await ping()).toBe("Ok.\n");
});

test("a killed ClickHouse keeps every acknowledged row", async () => {
  const stores = await start(await tempDir(), quick);
  const client = embeddedClickHouse(stores);
  onTestFinished(() => client.close());
  await client.command({ query: "CREATE DATABASE d" });
  await client.command({
    query:
      "CREATE TABLE d.t (id UInt32) ENGINE = MergeTree ORDER BY id SETTINGS non_replicated_deduplication_window = 1000",
  });
  const acknowledged: number[] = [];
  const insert = async (batch: number) => {
    await client.insert({
      table: "d.t",
      values: Array.from({ length: 100 }, (_, n) => ({ id: batch * 100 + n })),
      format: "JSONEachRow",
    });
    acknowledged.push(batch);
  };

  for (let round = 0; round < 3; round++) {
    const inserts = Array.from({ length: 40 }, (_, n) => insert(round * 40 + n).catch(() => {}));
    await Promise.race(inserts);
    process.kill(stores.pids().clickhouse ?? 0, "SIGKILL");
    await Promise.all(inserts);
    await expect
      .poll(() => client.ping({ select: true }).then(({ success }) => success), { timeout: 20_000 })
      .toBe(true);
  }

  const result = await client.query({
    query: "SELECT intDiv(id, 100) AS batch, count() AS c FROM d.t GROUP BY batch",
    format: "JSONEachRow",
  });
  const batches = z.array(z.object({ batch: z.number(), c: z.coerce.number() })).parse(await result.json());
  expect(batches.filter(({ c }) => c !== 100)).toEqual([]);
  const stored = new Set(batches.map(({ batch }) => batch));
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((batch) => !stored.has(batch))).toEqual([]);
});

const launched = z.object({ pids: z.array(z.number()), guardPid: z.number() });

async function launch(dataDir: string): Promise<z.infer<typeof launched> & { launcher: ChildProcess }> {
  const launcher = fork(fileURLToPath(new URL("./launch.ts", import.meta.url)), [dataDir], {
    env: machineEnv,
    execArgv: [],
  });
  onTestFinished(() => void launcher.kill("SIGKILL"));
  const [message] = await once(launcher, "message");
  return { launcher, ...launched.parse(message) };
}

test("a launcher killed with SIGKILL leaves no store behind, and the directory is free again", async () => {
  const dataDir = await tempDir();
  const { launcher, pids } = await launch(dataDir);
  expect(pids.filter(hasProcess)).toHaveLength(2);

  launcher.kill("SIGKILL");

  await expect.poll(() => pids.filter(hasProcess), { timeout: 20_000 }).toEqual([]);
  await expect.poll(() => start(dataDir, quick).then(() => "started", String), { timeout: 20_000 }).toBe("started");
});

test("a guard killed with SIGKILL is noticed, and its stores are ended", async () => {
  const stores = await start(await tempDir(), quick);
  const pids = Object.values(stores.pids());

  process.kill(stores.guardPid, "SIGKILL");

  await expect(stores.failed).rejects.toThrow("The guard of the stores has ended");
  await expect.poll(() => pids.filter(hasProcess), { timeout: 20_000 }).toEqual([]);
});

test("what a launcher and a guard killed together leave behind is ended by the next start", async () => {
  const dataDir = await tempDir();
  const { launcher, guardPid, pids } = await launch(dataDir);

  process.kill(guardPid, "SIGKILL");
  launcher.kill("SIGKILL");
  await start(dataDir, quick);

  expect(pids.filter(hasProcess)).toEqual([]);
});
