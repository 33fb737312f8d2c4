// The replay sessions in Redis, as the REST interface makes, steps and deletes them. The process that runs a session is told
// at once, and looks by itself now and then.
import type { Redis } from "ioredis";
import {
  parseStatus,
  type ReplayFields,
  type ReplayStatus,
  statusFields,
} from "../../../projections/replay/session.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";

export type Created = "created" | "exists" | "too-many" | "too-many-of-token";
export type Stepped = { readonly before: number } | "absent" | "auto" | "ended";

export interface ReplaySessions {
  get(id: string): Promise<ReplayStatus | undefined>;
  /** Takes the place of a session that has ended. */
  create(id: string, fields: ReplayFields, tokenId: string): Promise<Created>;
  /** Gives how many steps had been asked for before. */
  step(id: string, count: number): Promise<Stepped>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
}

export interface ReplayLimits {
  readonly all: number;
  readonly perToken: number;
}

// KEYS: session, open. ARGV: id, token, limits, channel, then fields and values.
const CREATE = `
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 'exists' end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then return 'too-many' end
local own = 0
for _, token in ipairs(redis.call('HVALS', KEYS[2])) do
  if token == ARGV[2] then own = own + 1 end
end
if own >= tonumber(ARGV[4]) then return 'too-many-of-token' end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 6))
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[5], ARGV[1])
return 'created'`;

// KEYS: session, open. ARGV: id, count, channel.
const STEP = `
local mode = redis.call('HGET', KEYS[1], 'mode')
if not mode then return 'absent' end
if mode ~= 'manual' then return 'auto' end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 0 then return 'ended' end
local granted = redis.call('HINCRBY', KEYS[1], 'granted', ARGV[2])
redis.call('HSET', KEYS[1], 'state', 'running')
redis.call('PUBLISH', ARGV[3], ARGV[1])
return granted - ARGV[2]`;

// KEYS: session, open. ARGV: id, channel.
const REMOVE = `
local known = redis.call('DEL', KEYS[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return known`;

export function createReplaySessions(redis: Redis, namespace: string, limits: ReplayLimits): ReplaySessions {
  const { open, session, changed } = replayKeys(namespace);

  async function read(id: string, names: readonly string[]): Promise<ReplayFields> {
    const values = await redis.hmget(session + id, ...names);
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
      const argv = [id, tokenId, limits.all, limits.perToken, changed, ...Object.entries(fields).flat()];
      return redis.eval(CREATE, 2, session + id, open, ...argv) as Promise<Created>;
    },
    async step(id, count) {
      const before = await redis.eval(STEP, 2, session + id, open, id, count, changed);
      return typeof before === "number" ? { before } : (before as Exclude<Stepped, object>);
    },
    remove: async (id) => (await redis.eval(REMOVE, 2, session + id, open, id, changed)) === 1,
  };
}
