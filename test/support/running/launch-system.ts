// A whole tracklog in a separate namespace: topics, tables, a token, and the three services as processes. Tests use it
// through system.ts, which stops it by itself; commands outside of vitest use it directly.
import { randomBytes } from "node:crypto";
import type { Codec } from "../../../schemas/codec.ts";
import { topicsOf } from "../../../schemas/topics.ts";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import { databaseOf } from "../../../services/common/clickhouse.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { provideTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { migrateEnv } from "../../../services/projector/config.ts";
import { createGraphQLClient, type GraphQLClient } from "../clients/graphql-client.ts";
import { createNewDatabase } from "./new-database.ts";
import { type ProcessName, type ServiceName, type ServiceProcess, startService } from "./processes.ts";
import { sharedCodec } from "./shared-codec.ts";

export interface System {
  /** The environment that every service of this system gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly namespace: string;
  readonly url: string;
  readonly token: { readonly id: string; readonly value: string };
  readonly client: GraphQLClient;
  /** Every process that was ever started. */
  readonly started: readonly ServiceProcess[];
  /** The processes started with the system; `restart` puts a new one in place. */
  readonly services: Record<ServiceName, ServiceProcess>;
  /** Starts one more instance; it is stopped with the system. */
  start(name: ProcessName, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** kill -9, and a new process in its place. */
  restart(name: ServiceName): Promise<void>;
}

export interface LaunchedSystem {
  readonly system: System;
  stop(): Promise<void>;
}

const log = createLog("test", "silent");

export type PreparedSystem = Pick<System, "env" | "namespace" | "url" | "token" | "client">;

/** Topics, tables and a token, but no process yet. `stores`: variables for the addresses; `settings`: more. */
export async function prepareSystem(
  stores: Readonly<Record<string, string>>,
  namespace: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PreparedSystem> {
  const port = await freePort();
  const env = {
    ...stores,
    TRACKLOG_NAMESPACE: namespace,
    CLICKHOUSE_DATABASE: namespace,
    API_HOST: "127.0.0.1",
    API_PORT: String(port),
    SECRETS_KEY: randomBytes(32).toString("base64"),
    ...settings,
  };
  const history = loadConfig(migrateEnv, env);
  const [codec] = await Promise.all([
    sharedCodec(env),
    createAllTopics(env),
    createNewDatabase(history, databaseOf(history)),
  ]);
  const token = await createToken(env, namespace, codec);
  const url = `http://127.0.0.1:${port}/graphql`;
  return { env, namespace, url, token, client: createGraphQLClient(url, token) };
}

/** `variablesOf`: more variables for each of the three services, such as a login of its own. */
export async function launchSystem(
  stores: Readonly<Record<string, string>>,
  namespace: string,
  settings: Readonly<Record<string, string>> = {},
  variablesOf: (name: ServiceName) => Readonly<Record<string, string>> = () => ({}),
): Promise<LaunchedSystem> {
  const prepared = await prepareSystem(stores, namespace, settings);
  const started: ServiceProcess[] = [];
  const start: System["start"] = async (name, more = {}) => {
    const service = await startService(name, { ...prepared.env, ...more });
    started.push(service);
    return service;
  };
  const stop = async () => {
    await Promise.all(started.map((service) => service.stop()));
  };
  const results = await Promise.allSettled(
    (["api", "projector", "state-machine"] as const).map((name) => start(name, variablesOf(name))),
  );
  const [api, projector, stateMachine] = results.flatMap((result) =>
    result.status === "fulfilled" ? [result.value] : [],
  );
  if (api === undefined || projector === undefined || stateMachine === undefined) {
    await stop();
    throw results.find((result) => result.status === "rejected")?.reason;
  }
  const services = { api, projector, "state-machine": stateMachine };
  const system: System = {
    ...prepared,
    started,
    services,
    start,
    async restart(name) {
      await services[name].kill();
      services[name] = await start(name);
    },
  };
  return { system, stop };
}

async function createAllTopics(env: Readonly<Record<string, string>>): Promise<void> {
  const config = loadConfig(provisionEnv, env);
  const admin = createKafka("test", config, log).admin();
  await admin.connect();
  try {
    const wanted = topicsOf(config.TRACKLOG_NAMESPACE, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS);
    await provideTopics(admin, wanted, config.TOPIC_REPLICATION_FACTOR);
  } finally {
    await admin.disconnect();
  }
}

/** Scopes read and write. */
async function createToken(env: Readonly<Record<string, string>>, namespace: string, codec: Codec) {
  const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
  return createTokenStore({ kafka, codec, namespace, log, now: Date.now }).create("test", ["read", "write"]);
}
