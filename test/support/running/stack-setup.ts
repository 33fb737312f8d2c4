// Vitest global set-up of the projects that need stores: from the environment, else in containers, else embedded.
import { rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { startStores } from "../../../services/embedded/stores.ts";
import {
  type Engine,
  findEngine,
  type Started,
  startClickHouse,
  startKafka,
  startRedis,
  startRegistry,
} from "./containers.ts";
import { scratchDir } from "./scratch-dir.ts";

/** Containers for the stores that the environment does not name. */
const STARTERS: Readonly<Record<string, (engine: Engine) => Promise<Started>>> = {
  KAFKA_BROKERS: startKafka,
  SCHEMA_REGISTRY_URL: startRegistry,
  REDIS_URL: startRedis,
  CLICKHOUSE_URL: startClickHouse,
};

const stackEnv = z.object({
  KAFKA_BROKERS: z.string(),
  KAFKA_SSL: z.string().default(""),
  KAFKA_SASL_MECHANISM: z.string().default(""),
  KAFKA_SASL_USERNAME: z.string().default(""),
  KAFKA_SASL_PASSWORD: z.string().default(""),
  SCHEMA_REGISTRY_URL: z.string(),
  REDIS_URL: z.string(),
  CLICKHOUSE_URL: z.string(),
  CLICKHOUSE_USER: z.string().default("default"),
  CLICKHOUSE_PASSWORD: z.string().default(""),
  CLICKHOUSE_CLUSTER: z.string().default(""),
});

type Env = Readonly<Record<string, string>>;

interface Running {
  readonly env: Env;
  stop(): Promise<void>;
}

interface Shared {
  users: number;
  readonly running: Promise<Running>;
}

/** Each project loads this module anew in the same process, so shared values are properties of the process. */
const holder: { [key: symbol]: Shared | undefined } = globalThis;
const KEY = Symbol.for("tracklog.test-stack");

export async function setup(project: TestProject): Promise<void> {
  const shared = holder[KEY] ?? { users: 0, running: startStack() };
  holder[KEY] = shared;
  shared.users++;
  project.provide("stack", stackEnv.parse((await shared.running).env));
}

export async function teardown(): Promise<void> {
  const shared = holder[KEY];
  if (shared === undefined || --shared.users > 0) return;
  holder[KEY] = undefined;
  const running = await shared.running.catch(() => undefined);
  await running?.stop();
}

async function startStack(): Promise<Running> {
  const env = Object.fromEntries(Object.entries(process.env).filter(isSet));
  const missing = Object.keys(STARTERS).filter((name) => env[name] === undefined);
  if (missing.length === 0) return { env, stop: async () => {} };
  const engine = await findEngine();
  if (engine === undefined) return startEmbedded(env, "no container engine answers");
  try {
    return await startInContainers(engine, env, missing);
  } catch (error) {
    return startEmbedded(env, `containers: ${String(error)}`);
  }
}

const isSet = (entry: readonly [string, string | undefined]): entry is [string, string] =>
  entry[1] !== undefined && entry[1] !== "";

async function startInContainers(engine: Engine, env: Env, missing: readonly string[]): Promise<Running> {
  const results = await Promise.allSettled(missing.flatMap((name) => STARTERS[name]?.(engine) ?? []));
  const started = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async () => {
    await Promise.all(started.map(({ container }) => container.stop()));
  };
  const failed = results.find((result) => result.status === "rejected");
  if (failed) {
    await stop();
    throw failed.reason;
  }
  return { env: Object.assign({}, env, ...started.map((one) => one.env)), stop };
}

async function startEmbedded(env: Env, reason: string): Promise<Running> {
  const dataDir = await scratchDir("tracklog-test-");
  const removeDir = () => rm(dataDir, { recursive: true, force: true });
  try {
    const stores = await startStores({ dataDir, env, onProgress: announceFetches });
    return {
      env: stores.env,
      stop: async () => {
        await stores.stop();
        await removeDir();
      },
    };
  } catch (error) {
    await removeDir();
    throw new Error(
      `There are no stores for the tests: set ${Object.keys(STARTERS).join(", ")}, or start a container engine, or install Java 17 and Maven (${reason}; embedded: ${String(error)}).`,
      { cause: error },
    );
  }
}

/** The first run downloads for a minute; without a word it would look stuck. */
function announceFetches(text: string): void {
  if (/^(fetch|prepar)/.test(text)) console.log(`embedded stores: ${text}`);
}
