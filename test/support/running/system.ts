import { afterAll, beforeAll, inject, onTestFinished } from "vitest";
import { topics } from "../../../schemas/topics.ts";
import { createClickHouse, databaseOf } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { type Inspector, openInspector } from "../clients/final-state-inspector.ts";
import { type LaunchedSystem, launchSystem, type System } from "./launch-system.ts";
import { type StackEnv, useStack } from "./stack.ts";

export type { System } from "./launch-system.ts";

/**
 * The number of partitions of the topics keyed by data source. Each costs time at every start and takeover; the long
 * form of the fault tests has them all.
 */
export const PARTITIONS = inject("extent") === "full" ? topics["camera-log"].partitions : 4;

/**
 * Without this setting the API refuses when writes wait for half a second: on a busy machine this happens without a
 * flood.
 */
export const UNHURRIED = { API_QUEUE_MS: "10000" };

/**
 * An insert of one row costs the store as much as one of a thousand. This setting suits tests that write for a while
 * and then ask: the history is a second behind.
 */
export const FEW_INSERTS = { PROJECTOR_FLUSH_MS: "1000" };

type Settings = Readonly<Record<string, string>>;

/** Ready to use; everything is stopped when the test ends. `settings` are more variables for all services. */
export async function startSystem(settings: Settings = {}): Promise<System> {
  const { system, stop } = await launch(settings);
  onTestFinished(stop);
  return system;
}

/**
 * One system for all tests of a file: a start costs four seconds of processor time. It runs from before the first test
 * until after the last. Each test has a scene of its own on it, and leaves it with one process of each service.
 */
export function shareSystem(settingsOf: (env: StackEnv) => Promise<Settings> | Settings = () => ({})): () => System {
  let launched: LaunchedSystem | undefined;
  beforeAll(async () => {
    launched = await launch(await settingsOf(useStack().env));
  });
  afterAll(() => launched?.stop());
  return () => {
    if (launched === undefined) throw new Error("the system starts before the first test");
    return launched.system;
  };
}

async function launch(settings: Settings): Promise<LaunchedSystem> {
  const { env, uniqueName } = useStack();
  const all = { ...UNHURRIED, CAMERA_PARTITIONS: String(PARTITIONS), ...settings };
  const { system, stop } = await launchSystem(env, uniqueName("test"), all);
  return {
    system,
    async stop() {
      await stop();
      await dropDatabase(system);
    },
  };
}

/** The tables of a database cost the store a thousandth of a processor for as long as they exist. */
async function dropDatabase({ env }: System): Promise<void> {
  const config = loadConfig(clickhouseEnv, env);
  const client = createClickHouse(config, "default");
  await client.command({ query: `DROP DATABASE IF EXISTS ${databaseOf(config)}` });
  await client.close();
}

/** Closed when the test ends. */
export async function inspect(system: System): Promise<Inspector> {
  const inspector = await openInspector(system);
  onTestFinished(inspector.close);
  return inspector;
}
