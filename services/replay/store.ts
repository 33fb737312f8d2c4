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
import { CLAIM, NOW } from "./claim-script.ts";

export interface Claimed {
  readonly id: string;
  /** Names this claim. */
  readonly owner: string;
  /** The token that made the session; empty without tokens. */
  readonly tokenId: string;
  readonly session: ReplaySession;
  /** Nobody asked for a step for too long. */
  readonly isIdle: boolean;
}

/** What a process has got, and the sessions whose places it gives back to let others in. */
export interface Taken {
  readonly claimed: readonly Claimed[];
  readonly giveBack: readonly string[];
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
  /** Those of them that may give their places back, in this order. */
  readonly paused: readonly Pick<Claimed, "id" | "tokenId">[];
}

export interface ReplayStore {
  /** The tokens of all open sessions. */
  tokens(): Promise<readonly string[]>;
  /**
   * Open sessions that nobody runs. A token gets a further one only while more places are free than it has: one token takes
   * half of a process at most, and leaves room for the others. Without tokens (the id is empty) nobody is told apart, and all
   * places are taken. A session that waits for a step needs no place. All sessions of lapsed tokens, and those that are idle,
   * are given, to be ended. When others find no place, as few paused sessions as let them in are to give theirs back.
   */
  claim(room: Room, lapsed: readonly string[]): Promise<Taken>;
  /** Gives the steps that were asked for; undefined = the session is not ours any more. */
  renew(claim: Claim): Promise<number | undefined>;
  /** Another process may go on at once. */
  release(claim: Claim): Promise<void>;
  /** All of these resolve with whether the session is still ours. */
  plan(claim: Claim, segments: readonly Segment[]): Promise<boolean>;
  save(claim: Claim, progress: ReplayProgress): Promise<boolean>;
  /** It waits for a step. Nobody takes it up before there is one, or before this time is over. */
  pause(claim: Claim, progress: ReplayProgress, idleMs: number): Promise<boolean>;
  end(claim: Claimed, ended: Ended): Promise<boolean>;
}

const LEASE_MS = 10_000;
/** How often a claim must be renewed, so that one that fails can be repeated. */
export const RENEW_MS = 2_500;

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

// KEYS: session. ARGV: owner, progress, steps done, how long it may be idle.
const PAUSE = `${IF_OURS}${NOW}
redis.call('HSET', KEYS[1], 'state', 'paused', 'progress', ARGV[2], 'stepped', ARGV[3], 'idleUntil', now + ARGV[4])
return 1`;

// KEYS: session, open, ended sessions of the token. ARGV: owner, id, token, prefix of sessions, how long it is kept, most
// sessions, most bytes, then fields and values. Of the others only those that are still this token's ended ones count: the
// id may have been given to another session.
const END = `${IF_OURS}${NOW}
redis.call('HSET', KEYS[1], 'endedOf', ARGV[3], unpack(ARGV, 8))
redis.call('HDEL', KEYS[1], 'owner', 'until', 'spec', 'plan', 'stepped', 'idleUntil')
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

    async claim({ free, held, paused }, lapsed) {
      const owner = randomUUID();
      const argv = [session, owner, LEASE_MS, free, JSON.stringify(held), JSON.stringify(paused), ...lapsed];
      type Row = readonly [id: string, tokenId: string, isIdle: number, fields: readonly string[]];
      const [rows, giveBack] = (await redis.eval(CLAIM, 1, open, ...argv)) as [readonly Row[], readonly string[]];
      const claimed = rows.map(([id, tokenId, isIdle, flat]) => {
        return { id, owner, tokenId, session: parseSession(toFields(flat)), isIdle: isIdle === 1 };
      });
      return { claimed, giveBack };
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

    save: ({ id, owner }, progress) =>
      write(SAVE, [session + id], owner, "state", "running", "progress", JSON.stringify(progress)),

    pause: ({ id, owner }, progress, idleMs) =>
      write(PAUSE, [session + id], owner, JSON.stringify(progress), progress.steps, idleMs),

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
