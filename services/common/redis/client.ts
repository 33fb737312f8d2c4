import { Redis, type RedisOptions } from "ioredis";
import type { z } from "zod";
import type { redisEnv } from "../config.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { storeErrors } from "../metrics/stores.ts";
import { tlsFromFiles } from "../tls-files.ts";
import { useYoungCommands } from "./young-commands.ts";

const MAX_RETRY_DELAY_MS = 1_000;
const COMMAND_TIMEOUT_MS = 5_000;

export interface RedisPart extends Part {
  readonly client: Redis;
}

export type RedisConfig = z.output<typeof redisEnv>;

type Options = Pick<RedisOptions, "autoResendUnfulfilledCommands" | "enableOfflineQueue">;

/** Creates a connection that reconnects by itself; commands sent meanwhile fail after a bounded time. */
export function createRedis(config: RedisConfig, log: Log, options: Options = {}): RedisPart {
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
  client.on("error", (error) => {
    storeErrors.inc({ store: "redis", verdict: "away" });
    log.warn({ err: error }, "redis connection");
  });
  return {
    name: "redis",
    client,
    start: async () => {
      await client.connect();
    },
    stop: async () => {
      client.disconnect();
    },
  };
}

function tlsOf(config: RedisConfig): Pick<RedisOptions, "tls"> {
  const { REDIS_URL, REDIS_CA_FILE: ca, REDIS_CERT_FILE: cert, REDIS_KEY_FILE: key } = config;
  return REDIS_URL.startsWith("rediss:") ? { tls: tlsFromFiles({ ca, cert, key }) } : {};
}

type SentinelOption = "sentinels" | "name" | "sentinelPassword" | "sentinelTLS" | "enableTLSForSentinelMode";

function sentinelsOf(config: RedisConfig): Pick<RedisOptions, SentinelOption> {
  const { REDIS_SENTINELS: addresses, REDIS_SENTINEL_PASSWORD: sentinelPassword } = config;
  if (addresses.length === 0) return {};
  const { tls } = tlsOf(config);
  return {
    sentinels: addresses.map((address) => {
      const { hostname, port } = new URL(`redis://${address}`);
      return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
    }),
    name: config.REDIS_SENTINEL_NAME,
    ...(sentinelPassword === "" ? {} : { sentinelPassword }),
    ...(tls === undefined ? {} : { sentinelTLS: tls, enableTLSForSentinelMode: true }),
  };
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
 * Returns the configuration of the database with this number on the same server. A cluster has only database 0, so
 * keys must not rely on the number alone to differ from those of another database.
 */
export function redisDatabase(config: RedisConfig, database: number): RedisConfig {
  const address = new URL(config.REDIS_URL);
  address.pathname = `/${database}`;
  return { ...config, REDIS_URL: address.href };
}
