// Lets one worker at a time, of all instances, do something about one key. The lease ends by itself, so a process that
// dies keeps the others waiting for a bounded time only.
import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { unavailable } from "../../schemas/errors.ts";
import { loop } from "./loop.ts";

export interface Lease {
  /** False early enough that what is begun while it is true is done before another worker gets the lease. */
  isHeld(): boolean;
  /** Leaves the lease to end by itself: what was begun may still take effect. */
  keep(): void;
}

const LEASE_MS = 15_000;
const MARGIN_MS = 5_000;
const WAIT_MS = 10_000;
const RETRY_AFTER_MS = 1_000;

/** Deletes the key only if it is still ours. */
const RELEASE = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0`;

/** Rejects with UNAVAILABLE when other workers hold the lease for long. */
export async function withLease<T>(redis: Redis, key: string, work: (lease: Lease) => Promise<T>): Promise<T> {
  const token = randomUUID();
  const take = async () => {
    const askedAt = performance.now();
    const answer = await redis.set(key, token, "PX", LEASE_MS, "NX");
    return answer === "OK" ? askedAt + LEASE_MS - MARGIN_MS : undefined;
  };
  // At random, so that of many waiting workers none is always too late.
  const endsAt = await loop(take, { pauseMs: () => 5 + Math.random() * 20, withinMs: WAIT_MS });
  if (endsAt === undefined) throw unavailable("others are changing the same thing", RETRY_AFTER_MS);
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
    // Without Redis the lease ends by itself.
    if (!isKept) await redis.eval(RELEASE, 1, key, token).catch(() => undefined);
  }
}
