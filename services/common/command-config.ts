// Configuration of a command that a person starts beside running stores: the command finds the stores by itself.

import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { jsonOf } from "../../schemas/json.ts";
import { ConfigError, dataDirEnv, loadConfig, wantedBy } from "./config.ts";

/** Addresses of the stores; a different value for one of these means another installation. */
const ADDRESSES = ["KAFKA_BROKERS", "SCHEMA_REGISTRY_URL", "REDIS_URL", "CLICKHOUSE_URL"] as const;

const ANSWER_WITHIN_MS = 1_000;

const runningStores = z.object({
  /** Process that holds the stores. */
  pid: z.number().int().positive(),
  /** Addresses on which the stores that it started listen. */
  listening: z.array(z.object({ host: z.string(), port: z.number() })),
  /**
   * Variables with which a client reaches the stores. They belong together: a password is valid for its address only.
   */
  stores: z.record(z.string(), z.string()),
  /** Further variables that were set when the stores were started, and are the same for every command. */
  settings: z.record(z.string(), z.string()),
});

/** The process that starts the stores writes it to `runningStoresFile`, and removes it when they stop. */
export type RunningStores = z.output<typeof runningStores>;

export const runningStoresFile = (dataDir: string): string => join(dataDir, "stores.json");

/**
 * Does the same as loadConfig, and takes the addresses of the stores that run on the data directory, unless the
 * environment names others. Throws ConfigError, with one sentence when there are no stores at all.
 */
export async function loadCommandConfig<T extends z.ZodObject>(
  schema: T,
  env: NodeJS.ProcessEnv,
): Promise<z.output<T>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const dataDir = loadConfig(dataDirEnv, set).TRACKLOG_DATA_DIR;
  const running = await readRunningStores(dataDir);
  if (running !== undefined && !namesOthers(set, running)) {
    const shared = Object.entries(running.settings).filter(([name]) => set[otherFormOf(name)] === undefined);
    return loadConfig(schema, { ...Object.fromEntries(shared), ...set, ...running.stores });
  }
  const needed = ADDRESSES.filter((name) => name in schema.shape);
  if (needed.length === 0 || ADDRESSES.some((name) => set[name] !== undefined)) return loadConfig(schema, set);
  const wanted = needed.map((name) => `${name} (${wantedBy(schema, name)})`).join(" and ");
  throw new ConfigError(`No stores are running on ${dataDir}: start them with npm start, or set ${wanted}.`);
}

/** A variable and its form with `_FILE` must not both be set. */
const otherFormOf = (name: string): string => (name.endsWith("_FILE") ? name.slice(0, -5) : `${name}_FILE`);

const namesOthers = (set: NodeJS.ProcessEnv, { stores }: RunningStores): boolean =>
  ADDRESSES.some((name) => set[name] !== undefined && set[name] !== stores[name]);

/**
 * @returns undefined when no stores run. After a kill -9 the file is still there, but the process has ended or no store
 * answers.
 */
async function readRunningStores(dataDir: string): Promise<RunningStores | undefined> {
  const text = await readFile(runningStoresFile(dataDir), "utf8").catch(() => "null");
  const { data: running } = runningStores.safeParse(jsonOf(text));
  if (running === undefined || !isAlive(running.pid)) return undefined;
  if (running.listening.length === 0) return running;
  // One answering store is enough: a store that has died is being restarted.
  return Promise.any(running.listening.map(answers)).then(
    () => running,
    () => undefined,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function answers(address: RunningStores["listening"][number]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(address, resolve);
  socket.setTimeout(ANSWER_WITHIN_MS, () => reject(new Error("no answer in time")));
  socket.once("error", reject);
  return promise.finally(() => socket.destroy());
}
