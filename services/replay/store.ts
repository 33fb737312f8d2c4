// The sessions in Redis, as the process that runs them sees them. A claim lasts a few seconds and is renewed; everything is
// written only while it lasts, so that a session which was deleted, or which another process runs by now, stays untouched.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import {
  outlineOf,
  parseSession,
  plannedFields,
  type ReplayProgress,
  type ReplaySession,
  type Segment,
} from "../../projections/replay/session.ts";
import { replayKeys } from "../../schemas/redis-keys.ts";

export interface Claimed {
  readonly id: string;
  /** Names this claim. */
  readonly owner: string;
  /** The token that made the session; empty without tokens. */
  readonly tokenId: string;
  readonly session: ReplaySession;
}

type Claim = Pick<Claimed, "id" | "owner">;

/** How long ended sessions can be looked at, and how many of one token: the newest ones. */
export interface Keeping {
  readonly forMs: number;
  readonly most: number;
  readonly mostBytes: number;
}

export interface Ended {
  readonly state: "finished" | "failed";
  readonly reason?: string;
  readonly progress: ReplayProgress;
}

/** What a process has left. */
export interface Room {
  /** Sessions that it can take up. */
  readonly free: number;
  /** How many each token has here, by its id. */
  readonly held: Readonly<Record<string, number>>;
}

export interface ReplayStore {
  /** The tokens of all open sessions. */
  tokens(): Promise<readonly string[]>;
  /**
   * Open sessions that nobody runs. A token gets a further one only while more places are free than it has: one token takes
   * half of a process at most, and leaves room for the others. Without tokens (the id is empty) nobody is told apart, and all
   * places are taken. All sessions of lapsed tokens are given, to be ended.
   */
  claim(room: Room, lapsed: readonly string[]): Promise<Claimed[]>;
  /** Gives the steps that were asked for; undefined = the session is not ours any more. */
  renew(claim: Claim): Promise<number | undefined>;
  /** Another process may go on at once. */
  release(claim: Claim): Promise<void>;
  /** All of these resolve with whether the session is still ours. */
  plan(claim: Claim, segments: readonly Segment[]): Promise<boolean>;
  save(claim: Claim, state: "running" | "paused", progress: ReplayProgress): Promise<boolean>;
  end(claim: Claimed, ended: Ended): Promise<boolean>;
}

const LEASE_MS = 10_000;
/** How often a claim must be renewed, so that one that fails can be repeated. */
export const RENEW_MS = 2_500;

const NOW = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`;

// KEYS: open. ARGV: prefix of sessions, owner, lease, free, held, then the lapsed tokens.
const CLAIM = `${NOW}
local lapsed = {}
for i = 6, #ARGV do lapsed[ARGV[i]] = true end
local free = tonumber(ARGV[4])
local held = cjson.decode(ARGV[5])
local claimed = {}
local open = redis.call('HGETALL', KEYS[1])
local function has_room(token)
  if token == '' then return free > 0 end
  return free > (held[token] or 0)
end
for i = 1, #open, 2 do
  local key, token = ARGV[1] .. open[i], open[i + 1]
  local known = redis.call('HMGET', key, 'version', 'until')
  if not known[1] then
    redis.call('HDEL', KEYS[1], open[i])
  elseif tonumber(known[2] or '0') <= now and (lapsed[token] or has_room(token)) then
    redis.call('HSET', key, 'owner', ARGV[2], 'until', now + ARGV[3])
    if not lapsed[token] then
      free = free - 1
      held[token] = (held[token] or 0) + 1
    end
    claimed[#claimed + 1] = { open[i], token, redis.call('HGETALL', key) }
  end
end
return claimed`;

const IF_OURS = `
if redis.call('HGET', KEYS[1], 'owner') ~= ARGV[1] then return false end`;

// KEYS: session. ARGV: owner, lease.
const RENEW = `${IF_OURS}${NOW}
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
return redis.call('HGET', KEYS[1], 'granted')`;

const RELEASE = `${IF_OURS}
redis.call('HDEL', KEYS[1], 'owner', 'until')
return 1`;

// KEYS: session. ARGV: owner, then fields and values.
const SAVE = `${IF_OURS}
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return 1`;

// KEYS: session, open, ended sessions of the token. ARGV: owner, id, token, prefix of sessions, how long it is kept, most
// sessions, most bytes, then fields and values. Of the others only those that are still this token's ended ones count: the
// id may have been given to another session.
const END = `${IF_OURS}${NOW}
redis.call('HSET', KEYS[1], 'endedOf', ARGV[3], unpack(ARGV, 8))
redis.call('HDEL', KEYS[1], 'owner', 'until', 'spec', 'plan')
redis.call('HDEL', KEYS[2], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
local bytes = 0
for _, text in ipairs(redis.call('HGETALL', KEYS[1])) do bytes = bytes + #text end
redis.call('HSET', KEYS[1], 'bytes', bytes)
redis.call('ZADD', KEYS[3], now, ARGV[2])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
local left, leftBytes = tonumber(ARGV[6]), tonumber(ARGV[7])
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[3], 0, -1)) do
  local key = ARGV[4] .. id
  local known = redis.call('HMGET', key, 'endedOf', 'bytes')
  local size = tonumber(known[2] or '0')
  if known[1] == ARGV[3] and left > 0 and (size <= leftBytes or id == ARGV[2]) then
    left, leftBytes = left - 1, leftBytes - size
  else
    if known[1] == ARGV[3] then redis.call('DEL', key) end
    redis.call('ZREM', KEYS[3], id)
  end
end
return 1`;

export function createReplayStore(redis: Redis, namespace: string, keeping: Keeping): ReplayStore {
  const { open, session, ended: endedOf } = replayKeys(namespace);
  const write = async (script: string, keys: readonly string[], ...argv: readonly (string | number)[]) =>
    (await redis.eval(script, keys.length, ...keys, ...argv)) !== null;

  return {
    tokens: async () => [...new Set(await redis.hvals(open))],

    async claim({ free, held }, lapsed) {
      const owner = randomUUID();
      const argv = [session, owner, LEASE_MS, free, JSON.stringify(held), ...lapsed];
      const found = (await redis.eval(CLAIM, 1, open, ...argv)) as [string, string, string[]][];
      return found.map(([id, tokenId, flat]) => ({ id, owner, tokenId, session: parseSession(toFields(flat)) }));
    },

    async renew({ id, owner }) {
      const granted = await redis.eval(RENEW, 1, session + id, owner, LEASE_MS);
      return granted === null ? undefined : Number(granted);
    },

    async release({ id, owner }) {
      await redis.eval(RELEASE, 1, session + id, owner);
    },

    plan: ({ id, owner }, segments) =>
      write(SAVE, [session + id], owner, ...Object.entries(plannedFields(segments)).flat()),

    save: ({ id, owner }, state, progress) =>
      write(SAVE, [session + id], owner, "state", state, "progress", JSON.stringify(progress)),

    end({ id, owner, tokenId, session: { spec } }, { state, reason, progress }) {
      const { forMs, most, mostBytes } = keeping;
      const fields = ["state", state, "progress", JSON.stringify(progress), "endedAt", Date.now()];
      // A session that was made before there were outlines has none, and its spec goes.
      fields.push("outline", JSON.stringify(outlineOf(spec)));
      if (reason !== undefined) fields.push("reason", reason);
      const argv = [owner, id, tokenId, session, forMs, most, mostBytes, ...fields];
      return write(END, [session + id, open, endedOf(tokenId)], ...argv);
    },
  };
}

function toFields(flat: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i < flat.length; i += 2) fields[flat[i] ?? ""] = flat[i + 1] ?? "";
  return fields;
}
