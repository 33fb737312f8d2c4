import { type Cluster, Redis, type RedisOptions } from "ioredis";
import type { z } from "zod";
import type { redisEnv } from "../config.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { storeErrors } from "../metrics/stores.ts";
import { tlsFromFiles } from "../tls-files.ts";
import { useYoungCommands } from "./young-commands.ts";

export const MAX_RETRY_DELAY_MS = 1_000;
export const COMMAND_TIMEOUT_MS = 5_000;
/**
 * A connection to a node of a Cluster is closed when the node owes an answer for so long. A node that hangs closes
 * nothing itself, and the next connection finds the replica that has taken its place.
 */
export const SILENT_NODE_MS = 4_000;

/**
 * The commands that a single Redis and a Redis Cluster execute alike: those that name a key. KEYS, SCAN, DBSIZE and
 * INFO are about one server, and a Cluster would silently answer for any of its nodes.
 */
export type RedisClient = Pick<
  Redis,
  | "call"
  | "del"
  | "exists"
  | "get"
  | "hget"
  | "hgetall"
  | "hmget"
  | "hscan"
  | "hset"
  | "hvals"
  | "mget"
  | "multi"
  | "pipeline"
  | "set"
  | "smembers"
  | "xrevrange"
  | "zcard"
  | "zrange"
  | "zrevrangebyscore"
  | "zscore"
> & {
  /** The present connection of a single Redis. */
  readonly stream?: object | undefined;
};

export interface RedisPart<Client = Redis> extends Part {
  readonly client: Client;
}

export type RedisConfig = z.output<typeof redisEnv>;

export type ConnectionOptions = Pick<
  RedisOptions,
  "autoResendUnfulfilledCommands" | "enableOfflineQueue" | "Connector" | "reconnectOnError" | "socketTimeout"
>;

/** Creates a connection that reconnects by itself; commands sent meanwhile fail after a bounded time. */
export function createRedis(config: RedisConfig, log: Log, options: ConnectionOptions = {}): RedisPart {
  useYoungCommands();
  const client = new Redis(config.REDIS_URL, {
    ...options,
    ...tlsOf(config),
    ...sentinelsOf(config),
    lazyConnect: true,
    // The name of the library would be one more command that each user needs a right for.
    disableClientInfo: true,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 50, MAX_RETRY_DELAY_MS),
  });
  return redisPart(client, log);
}

/** Connects the client when the process starts, and disconnects it at the end. */
export function redisPart<Client extends Redis | Cluster>(client: Client, log: Log): RedisPart<Client> {
  client.on("error", noteErrors(log));
  return {
    name: "redis",
    client,
    start: async () => {
      try {
        await client.connect();
      } catch (cause) {
        throw new Error("Redis is not reached", { cause });
      }
    },
    stop: async () => {
      client.disconnect();
    },
  };
}

export const noteErrors = (log: Log) => (error: Error) => {
  storeErrors.inc({ store: "redis", verdict: "away" });
  log.warn({ err: error }, "redis connection");
};

export function tlsOf(config: RedisConfig): Pick<RedisOptions, "tls"> {
  const { REDIS_URL, REDIS_CA_FILE: ca, REDIS_CERT_FILE: cert, REDIS_KEY_FILE: key } = config;
  return REDIS_URL.startsWith("rediss:") ? { tls: tlsFromFiles({ ca, cert, key }) } : {};
}

type SentinelOption = "sentinels" | "name" | "sentinelPassword" | "sentinelTLS" | "enableTLSForSentinelMode";

function sentinelsOf(config: RedisConfig): Pick<RedisOptions, SentinelOption> {
  const { REDIS_SENTINELS: addresses, REDIS_SENTINEL_PASSWORD: sentinelPassword } = config;
  if (addresses.length === 0) return {};
  const { tls } = tlsOf(config);
  return {
    sentinels: addresses.map(hostAndPort),
    name: config.REDIS_SENTINEL_NAME,
    ...(sentinelPassword === "" ? {} : { sentinelPassword }),
    ...(tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

export function hostAndPort(address: string): Address {
  const { hostname, port } = new URL(`tcp://${address}`);
  return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** Creates a part that receives the notices of a channel. A subscribed connection can send no other commands. */
export const createNotices = (redis: RedisPart, channel: string, notify: (text: string) => void): Part => ({
  ...redis,
  name: "notices",
  async start() {
    redis.client.on("message", (_channel, text) => notify(text));
    await redis.start();
    await redis.client.subscribe(channel);
  },
});

/**
 * Returns the configuration of the database with this number on the same server. A Cluster has only database 0: there
 * the first words of a key tell the databases apart, because no two databases have keys that begin alike.
 */
export function redisDatabase(config: RedisConfig, database: number): RedisConfig {
  if (config.REDIS_CLUSTER.length > 0) return config;
  const address = new URL(config.REDIS_URL);
  address.pathname = `/${database}`;
  return { ...config, REDIS_URL: address.href };
}
