import { Redis, type RedisOptions } from "ioredis";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { storeErrors } from "../metrics/stores.ts";
import { useYoungCommands } from "./young-commands.ts";

const MAX_RETRY_DELAY_MS = 1_000;
const COMMAND_TIMEOUT_MS = 5_000;

export interface RedisPart extends Part {
  readonly client: Redis;
}

type Options = Pick<RedisOptions, "autoResendUnfulfilledCommands" | "enableOfflineQueue">;

/** Creates a connection that reconnects by itself; commands sent meanwhile fail after a bounded time. */
export function createRedis(url: string, log: Log, options: Options = {}): RedisPart {
  useYoungCommands();
  const client = new Redis(url, {
    ...options,
    lazyConnect: true,
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
 * Returns the URL of the database with this number on the same server. A cluster has only database 0, so keys must not
 * rely on the number alone to differ from those of another database.
 */
export function redisDatabase(url: string, database: number): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}
