// Lets one worker at a time, of all instances, work on a key. The lease expires by itself, so a process that dies keeps
// the others waiting for a bounded time only.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { unavailable } from "../../../schemas/errors.ts";
import { loop } from "../loop.ts";
import type { RedisClient } from "./client.ts";
import { isCluster } from "./cluster.ts";
import { callReplicated } from "./replicated.ts";
import { redisScript } from "./script.ts";

export interface Lease {
  /**
   * @returns false some seconds before the lease expires, so that work that began earlier is done before another worker
   * gets the lease.
   */
  isHeld(): boolean;
  /** Lets the lease expire by itself instead of releasing it, when work that has begun may still take effect. */
  keep(): void;
}

const LEASE_MS = 15_000;
const MARGIN_MS = 5_000;
const WAIT_MS = 10_000;

const releaseLease = redisScript(new URL("release-lease.lua", import.meta.url), {
  keys: ["lease"],
  arguments: ["token"],
  reply: z.number(),
});

/** Does the work while it holds the lease. Rejects with UNAVAILABLE when other workers hold the lease for long. */
export async function withLease<T>(redis: RedisClient, key: string, work: (lease: Lease) => Promise<T>): Promise<T> {
  const token = randomUUID();
  const take = async () => {
    const askedAt = performance.now();
    const answer = await setLease(redis, key, token);
    return answer === "OK" ? askedAt + LEASE_MS - MARGIN_MS : undefined;
  };
  // The pause is random, so that among many waiting workers none is always too late.
  const endsAt = await loop(take, { pauseMs: () => 5 + Math.random() * 20, withinMs: WAIT_MS });
  if (endsAt === undefined) throw unavailable("others are changing the same thing");
  let isOver = false;
  let isKept = false;
  try {
    return await work({
      isHeld: () => !isOver && performance.now() < endsAt,
      keep: () => {
        isKept = true;
      },
    });
  } finally {
    isOver = true;
    // When Redis does not answer, the lease expires by itself.
    if (!isKept) await releaseLease(redis, { lease: key, token }).catch(() => undefined);
  }
}

/** A lease that a replica lacks would be given a second time when the replica takes over. */
const setLease = (redis: RedisClient, key: string, token: string): Promise<unknown> =>
  isCluster(redis)
    ? callReplicated(redis, "set", [key, token, "PX", LEASE_MS, "NX"])
    : redis.set(key, token, "PX", LEASE_MS, "NX");
