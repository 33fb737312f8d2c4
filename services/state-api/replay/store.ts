// Replay sessions in Redis, with the changes that the REST interface makes: create, step, delete. The process that runs
// a session gets a notice at once, and also checks from time to time.
import { z } from "zod";
import {
  parseStatus,
  type ReplayFields,
  type ReplayStatus,
  statusFields,
} from "../../../projections/replay/session.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { redisScript } from "../../common/redis/script.ts";

export type Created = "created" | "exists" | "too-many" | "too-many-of-token";
export type Stepped = { readonly before: number } | "absent" | "auto" | "ended";

export interface ReplaySessions {
  get(id: string): Promise<ReplayStatus | undefined>;
  /** Creates a session. It may replace one that has ended. */
  create(id: string, fields: ReplayFields, tokenId: string): Promise<Created>;
  /** Resolves with the number of steps requested before. */
  step(id: string, count: number): Promise<Stepped>;
  /** @returns true when there was such a session. */
  remove(id: string): Promise<boolean>;
}

export interface ReplayLimits {
  readonly all: number;
  readonly perToken: number;
}

const file = (name: string) => new URL(`scripts/${name}`, import.meta.url);
const KEYS = ["session", "open"] as const;

const createSession = redisScript(file("create.lua"), {
  keys: KEYS,
  arguments: ["id", "tokenId", "maxSessions", "maxSessionsOfToken", "channel", "fields..."],
  reply: z.enum(["created", "exists", "too-many", "too-many-of-token"]),
  isReplicated: true,
});
const stepSession = redisScript(file("step.lua"), {
  keys: KEYS,
  arguments: ["id", "count", "channel"],
  reply: z.union([z.number(), z.enum(["absent", "auto", "ended"])]),
  isReplicated: true,
});
const removeSession = redisScript(file("remove.lua"), {
  keys: KEYS,
  arguments: ["id", "channel"],
  reply: z.number(),
  isReplicated: true,
});

export function createReplaySessions(redis: RedisClient, namespace: string, limits: ReplayLimits): ReplaySessions {
  const { open, session: prefix, changed: channel } = replayKeys(namespace);
  const of = (id: string) => ({ session: prefix + id, open, id, channel });

  async function read(id: string, names: readonly string[]): Promise<ReplayFields> {
    const values = await redis.hmget(prefix + id, ...names);
    return Object.fromEntries(names.flatMap((name, i) => (typeof values[i] === "string" ? [[name, values[i]]] : [])));
  }

  return {
    async get(id) {
      const known = await read(id, statusFields);
      const isOlder = known["version"] !== undefined && known["outline"] === undefined;
      const fields = isOlder ? await read(id, [...statusFields, "spec"]) : known;
      return fields["version"] === undefined ? undefined : parseStatus(fields);
    },
    create: (id, fields, tokenId) => {
      const bounds = { maxSessions: limits.all, maxSessionsOfToken: limits.perToken };
      return createSession(redis, { ...of(id), tokenId, ...bounds, fields: Object.entries(fields).flat() });
    },
    async step(id, count) {
      const before = await stepSession(redis, { ...of(id), count });
      return typeof before === "number" ? { before } : before;
    },
    remove: async (id) => (await removeSession(redis, of(id))) === 1,
  };
}
