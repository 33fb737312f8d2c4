// A single Redis or a Cluster, as the configuration says: one interface for all that name a key in each command.
import { Cluster, type Command } from "ioredis";
import type { Log } from "../log.ts";
import {
  COMMAND_TIMEOUT_MS,
  createRedis,
  hostAndPort,
  MAX_RETRY_DELAY_MS,
  noteErrors,
  type RedisClient,
  type RedisConfig,
  type RedisPart,
  redisPart,
  SILENT_NODE_MS,
  tlsOf,
} from "./client.ts";
import { WAIT_REFUSED } from "./replicated.ts";
import { useYoungCommands } from "./young-commands.ts";

/**
 * A node that hangs refuses nothing, so only the other nodes show that a replica has taken its place. They are asked
 * over a connection of its own each time.
 */
const ASK_NODES_EVERY_MS = 3_000;

/** Commands and connections fail after a bounded time, as those of a single Redis. */
export const createRedisClient = (config: RedisConfig, log: Log): RedisPart<RedisClient> =>
  config.REDIS_CLUSTER.length === 0 ? createRedis(config, log) : createCluster(config, log);

export const isCluster = (redis: RedisClient): redis is Cluster => redis instanceof Cluster;

/**
 * Divides units, such as partitions, so that one command may name the keys of a group: a single Redis takes all keys in
 * one command, and a Cluster only those of one hash slot.
 */
export const commandGroups = <T>(redis: RedisClient, units: readonly T[]): readonly (readonly T[])[] =>
  isCluster(redis) ? units.map((unit) => [unit]) : [units];

/** Joins the lists of all groups, which are asked at once. One group costs what it cost without groups. */
export function askGroups<Group, Item>(
  groups: readonly Group[],
  ask: (group: Group) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const [first] = groups;
  if (first !== undefined && groups.length === 1) return ask(first);
  return Promise.all(groups.map(ask)).then((lists) => lists.flat());
}

/** Does the same as MGET, also for keys of several hash slots. */
export const getAll = (redis: RedisClient, keys: readonly string[]): Promise<readonly (string | null)[]> =>
  askGroups(commandGroups(redis, keys), (group) => redis.mget([...group]));

export const loginOf = ({ REDIS_URL }: RedisConfig) => {
  const { username, password } = new URL(REDIS_URL);
  return {
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: decodeURIComponent(password) }),
  };
};

function createCluster(config: RedisConfig, log: Log): RedisPart<RedisClient> {
  useYoungCommands();
  const client = new BoundedCluster(config.REDIS_CLUSTER.map(hostAndPort), {
    lazyConnect: true,
    // The client would wait without an end for a Cluster that lacks a part of its slots.
    enableReadyCheck: false,
    // The check of a certificate needs the name of the host.
    dnsLookup: (host, callback) => callback(null, host),
    // A command whose connection was closed may have been executed: its caller decides about a repetition, which comes
    // after what the caller sent meanwhile. A Cluster that is down refuses at once, and the caller waits.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: (attempt) => Math.min(attempt * 50, MAX_RETRY_DELAY_MS),
    slotsRefreshInterval: ASK_NODES_EVERY_MS,
    redisOptions: {
      ...loginOf(config),
      ...tlsOf(config),
      disableClientInfo: true,
      connectTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENT_NODE_MS,
    },
  });
  client.on("node error", noteErrors(log));
  client.on(WAIT_REFUSED, (err: Error) => log.warn({ err }, "writes to Redis are answered before a replica has them"));
  return redisPart(client, log);
}

/** A command has its time-out also while it waits for a node. */
class BoundedCluster extends Cluster {
  override sendCommand(command: Command, ...rest: Rest): unknown {
    command.setTimeout(COMMAND_TIMEOUT_MS);
    return super.sendCommand(command, ...rest);
  }
}

type Rest = Parameters<Cluster["sendCommand"]> extends [unknown, ...infer Others] ? Others : never;
