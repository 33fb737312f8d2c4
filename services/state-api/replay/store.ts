// Replay sessions in Redis, with the changes that the REST interface makes: create, pause, resume, step, delete. The
// process that runs a session gets a notice at once, and also checks from time to time.
import { z } from "zod";
import { parseKept } from "../../../projections/replay/kept-signals.ts";
import {
  parseStatus,
  type ReplayFields,
  type ReplayStatus,
  statusFields,
} from "../../../projections/replay/session.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import type { KeptSignalAnswer } from "../../../schemas/rest/replay-signals.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { redisScript } from "../../common/redis/script.ts";

export type Created = "created" | "exists" | "too-many" | "too-many-of-token";
export type Stepped = { readonly before: number } | "absent" | "auto" | "ended";

export type Steered = "done" | "absent" | "ended";

/** A session of a list. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: number;
}

export interface ReplaySessions {
  get(id: string): Promise<ReplayStatus | undefined>;
  /** Resolves with the sessions of a token. Those of other tokens that have not ended are among them for `all`. */
  list(tokenId: string, which: "own" | "all"): Promise<readonly ListedSession[]>;
  /** Resolves with the newest signals after a number, in their order, of the session with this version. */
  signals(version: string, after: number, limit: number): Promise<readonly KeptSignalAnswer[]>;
  /** Creates a session. It may replace one that has ended. */
  create(id: string, fields: ReplayFields, tokenId: string): Promise<Created>;
  /** Makes the session wait for steps. The process that runs it may take a moment. */
  pause(id: string): Promise<Steered>;
  /** Lets the session go on by itself; with a speed, at this one. */
  resume(id: string, speed: number | "max" | undefined): Promise<Steered>;
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
  arguments: ["id", "tokenId", "maxSessions", "maxSessionsOfToken", "channel", "signalsPrefix", "fields..."],
  reply: z.enum(["created", "exists", "too-many", "too-many-of-token"]),
  isReplicated: true,
});
const stepSession = redisScript(file("step.lua"), {
  keys: KEYS,
  arguments: ["id", "count", "channel"],
  reply: z.union([z.number(), z.enum(["absent", "auto", "ended"])]),
  isReplicated: true,
});
const steered = z.enum(["done", "absent", "ended"]);
const pauseSession = redisScript(file("pause.lua"), {
  keys: KEYS,
  arguments: ["id", "channel"],
  reply: steered,
  isReplicated: true,
});
const resumeSession = redisScript(file("resume.lua"), {
  keys: KEYS,
  arguments: ["id", "speed", "channel"],
  reply: steered,
  isReplicated: true,
});
const removeSession = redisScript(file("remove.lua"), {
  keys: KEYS,
  arguments: ["id", "channel", "signalsPrefix"],
  reply: z.number(),
  isReplicated: true,
});

export function createReplaySessions(redis: RedisClient, namespace: string, limits: ReplayLimits): ReplaySessions {
  const keys = replayKeys(namespace);
  const { open, session: prefix, changed: channel, signals: signalsPrefix } = keys;
  const of = (id: string) => ({ session: prefix + id, open, id, channel });

  async function read(id: string, names: readonly string[]): Promise<ReplayFields> {
    const values = await redis.hmget(prefix + id, ...names);
    return Object.fromEntries(names.flatMap((name, i) => (typeof values[i] === "string" ? [[name, values[i]]] : [])));
  }

  /** An id in the list of ended sessions may belong to another session by now. */
  async function listed(id: string, isWanted: (endedOf: string | null) => boolean): Promise<ListedSession[]> {
    const [createdAt, endedOf = null] = await redis.hmget(prefix + id, "createdAt", "endedOf");
    return typeof createdAt === "string" && isWanted(endedOf) ? [{ id, createdAt: Number(createdAt) }] : [];
  }

  return {
    async get(id) {
      const known = await read(id, statusFields);
      const isOlder = known["version"] !== undefined && known["outline"] === undefined;
      const fields = isOlder ? await read(id, [...statusFields, "spec"]) : known;
      return fields["version"] === undefined ? undefined : parseStatus(fields);
    },
    async list(tokenId, which) {
      const [running, ended] = await Promise.all([redis.hgetall(open), redis.zrange(keys.ended(tokenId), "0", "-1")]);
      const found = await Promise.all([
        ...Object.entries(running).flatMap(([id, by]) =>
          by === tokenId || which === "all" ? [listed(id, () => true)] : [],
        ),
        ...ended.filter((id) => running[id] === undefined).map((id) => listed(id, (by) => by === tokenId)),
      ]);
      return found.flat();
    },
    async signals(version, after, limit) {
      const found = await redis.xrevrange(signalsPrefix + version, "+", String(after + 1), "COUNT", limit);
      return found.toReversed().map(([id, values]) => parseKept(Number.parseInt(id, 10), values[3] ?? ""));
    },
    pause: (id) => pauseSession(redis, of(id)),
    resume: (id, speed) => resumeSession(redis, { ...of(id), speed: speed ?? "" }),
    create: (id, fields, tokenId) => {
      const bounds = { maxSessions: limits.all, maxSessionsOfToken: limits.perToken };
      return createSession(redis, {
        ...of(id),
        tokenId,
        signalsPrefix,
        ...bounds,
        fields: Object.entries(fields).flat(),
      });
    },
    async step(id, count) {
      const before = await stepSession(redis, { ...of(id), count });
      return typeof before === "number" ? { before } : before;
    },
    remove: async (id) => (await removeSession(redis, { ...of(id), signalsPrefix })) === 1,
  };
}
