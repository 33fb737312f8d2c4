// Sessions in Redis, for the process that runs them. A claim lasts a few seconds and is renewed. Every write needs a
// valid claim, so a session that was deleted, or that another process runs by now, stays unchanged.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  outlineOf,
  parseSession,
  parseSteering,
  plannedFields,
  type ReplayFields,
  type ReplayProgress,
  type ReplaySession,
  type Segment,
  type Steering,
  steeringFields,
} from "../../projections/replay/session.ts";
import { replayKeys } from "../../schemas/redis-keys.ts";
import type { RedisClient } from "../common/redis/client.ts";
import { redisScript } from "../common/redis/script.ts";
import { createKeepSignals, type NumberedText } from "./keep-signals.ts";

export interface Claimed {
  readonly id: string;
  /** Name of this claim. */
  readonly owner: string;
  /** Token that created the session; empty without tokens. */
  readonly tokenId: string;
  readonly session: ReplaySession;
  /** True when it has waited for a caller for too long. */
  readonly isIdle: boolean;
}

/** Sessions that a process has claimed, and those whose places it must give back to let others in. */
export interface ClaimedSessions {
  readonly claimed: readonly Claimed[];
  readonly giveBack: readonly string[];
}

type Claim = Pick<Claimed, "id" | "owner">;

/** Time for which ended sessions can be queried, and number and bytes of the newest ones kept for each token. */
export interface Keeping {
  readonly forMs: number;
  readonly most: number;
  readonly mostBytes: number;
}

export interface Ended {
  readonly state: "finished" | "failed";
  readonly reason?: string;
  readonly progress: ReplayProgress;
  /** True when the session must not end if a caller has stepped or resumed it meanwhile. */
  readonly ifWaiting?: boolean;
}

/** The free and the taken places of a process. */
export interface SessionCapacity {
  /** Sessions that it can take up. */
  readonly free: number;
  /** Number of sessions of each token here, by its id. */
  readonly held: Readonly<Record<string, number>>;
  /** Sessions among them that may give their places back, in this order. */
  readonly paused: readonly Pick<Claimed, "id" | "tokenId">[];
}

export interface ReplayStore {
  /** Resolves with the tokens of all open sessions. */
  tokens(): Promise<readonly string[]>;
  /**
   * Claims open sessions that no process runs. A token gets a further one only while more places are free than it has,
   * so one token takes at most half of the places of a process. Without tokens (the id is empty) there is no such
   * limit. A session that waits for a step needs no place. All sessions of lapsed tokens, and idle ones, are claimed in
   * order to be ended. When other sessions find no place, the fewest paused sessions that let them in must give theirs
   * back.
   */
  claim(capacity: SessionCapacity, lapsed: readonly string[]): Promise<ClaimedSessions>;
  /**
   * Resolves with how callers want the session to go on.
   * @returns undefined when this process has lost the session.
   */
  renew(claim: Claimed): Promise<Steering | undefined>;
  /** Releases the claim, so that another process can continue at once. */
  release(claim: Claim): Promise<void>;
  /** This and the next four resolve with false when this process has lost the session. */
  plan(claim: Claimed, segments: readonly Segment[]): Promise<boolean>;
  save(claim: Claim, progress: ReplayProgress): Promise<boolean>;
  /** Keeps signals for callers to look at, in the order of their numbers. */
  keep(claim: Claimed, signals: readonly NumberedText[]): Promise<boolean>;
  /**
   * Records that the session waits for a caller, unless one has just resumed it. No process takes it up before a step
   * is requested, it is resumed, or `idleMs` have passed.
   */
  pause(claim: Claim, progress: ReplayProgress, idleMs: number): Promise<boolean>;
  /** Releases the claim, and resolves with false, when `ifWaiting` forbids the end: the session is taken up again. */
  end(claim: Claimed, ended: Ended): Promise<boolean>;
}

const LEASE_MS = 10_000;
/** Milliseconds between two renewals of a claim: a failed one can be repeated before the claim lapses. */
export const RENEW_MS = 2_500;

const file = (name: string) => new URL(`scripts/${name}`, import.meta.url);
const fields = z.array(z.string());
const steering = z.array(z.string().nullable());

const claimSessions = redisScript(file("claim.lua"), {
  keys: ["open"],
  arguments: ["prefix", "owner", "leaseMs", "freePlaces", "heldPlaces", "pausedSessions", "lapsedTokens..."],
  reply: z.tuple([z.array(z.tuple([z.string(), z.string(), z.number(), fields])), fields]),
});

/** A script that returns null when the claim is not valid any more. */
const ofClaim = <const Argument extends string>(name: string, args: readonly Argument[]) =>
  redisScript(file(name), { keys: ["session"], arguments: ["owner", ...args], reply: z.unknown() });

const renewClaim = ofClaim("renew.lua", ["leaseMs"]);
const releaseClaim = ofClaim("release.lua", []);
const saveSession = ofClaim("save.lua", ["fields..."]);
const pauseSession = ofClaim("pause.lua", ["progress", "steps", "idleMs"]);
const endSession = redisScript(file("end.lua"), {
  keys: ["session", "open", "ended", "signals"],
  arguments: [
    "owner",
    "ifWaiting",
    "id",
    "tokenId",
    "prefix",
    "signalsPrefix",
    "keepMs",
    "maxSessions",
    "maxBytes",
    "fields...",
  ],
  reply: z.unknown(),
});

export function createReplayStore(redis: RedisClient, namespace: string, keeping: Keeping): ReplayStore {
  const { open, session: prefix, ended: endedOf, signals: signalsPrefix } = replayKeys(namespace);
  const of = ({ id, owner }: Claim) => ({ session: prefix + id, owner });
  const versionOf = ({ session }: Claimed) => session.spec.subscription.key;
  const isOurs = async (reply: Promise<unknown>) => (await reply) !== null;
  const write = (claim: Claim, fields: ReplayFields) =>
    isOurs(saveSession(redis, { ...of(claim), fields: Object.entries(fields).flat() }));

  return {
    tokens: async () => [...new Set(await redis.hvals(open))],

    async claim({ free, held, paused }, lapsed) {
      const owner = randomUUID();
      const capacity = {
        freePlaces: free,
        heldPlaces: JSON.stringify(held),
        pausedSessions: JSON.stringify(paused),
        lapsedTokens: lapsed,
      };
      const [rows, giveBack] = await claimSessions(redis, { open, prefix, owner, leaseMs: LEASE_MS, ...capacity });
      const claimed = rows.map(([id, tokenId, isIdle, flat]) => {
        return { id, owner, tokenId, session: parseSession(toFields(flat)), isIdle: isIdle === 1 };
      });
      return { claimed, giveBack };
    },

    async renew(claim) {
      const values = await renewClaim(redis, { ...of(claim), leaseMs: LEASE_MS });
      return values === null ? undefined : steeringOf(steering.parse(values), claim);
    },

    async release(claim) {
      await releaseClaim(redis, of(claim));
    },

    plan: (claim, segments) => write(claim, plannedFields(segments, claim.session.spec)),
    save: (claim, progress) => write(claim, { state: "running", progress: JSON.stringify(progress) }),

    keep: createKeepSignals(redis, namespace, keeping),

    pause: (claim, progress, idleMs) =>
      isOurs(pauseSession(redis, { ...of(claim), progress: JSON.stringify(progress), steps: progress.steps, idleMs })),

    end(claim, { state, reason, progress, ifWaiting = false }) {
      const { id, tokenId } = claim;
      // A session that an earlier version created has no outline. It is stored here, because the script deletes the
      // spec.
      const outline = JSON.stringify(outlineOf(claim.session.spec));
      const fields = ["state", state, "progress", JSON.stringify(progress), "endedAt", Date.now(), "outline", outline];
      if (reason !== undefined) fields.push("reason", reason);
      const keys = { ...of(claim), open, ended: endedOf(tokenId), signals: signalsPrefix + versionOf(claim) };
      const own = { id, tokenId, ifWaiting: ifWaiting ? 1 : 0 };
      return isOurs(endSession(redis, { ...keys, ...own, prefix, signalsPrefix, ...boundsOf(keeping), fields }));
    },
  };
}

const boundsOf = ({ forMs, most, mostBytes }: Keeping) => ({ keepMs: forMs, maxSessions: most, maxBytes: mostBytes });

/** `values` are those of `steeringFields`. */
function steeringOf(values: readonly (string | null)[], { session }: Claimed): Steering {
  const fields = steeringFields.flatMap((name, i) => (values[i] == null ? [] : [[name, values[i]]]));
  return parseSteering(Object.fromEntries(fields), session.spec.speed);
}

function toFields(flat: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i < flat.length; i += 2) fields[flat[i] ?? ""] = flat[i + 1] ?? "";
  return fields;
}
