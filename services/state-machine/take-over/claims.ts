// The claim of a partition in Redis: the wait for the earlier owner before it, and the signs of life after it.
import { messageOf } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { untilSo } from "../../common/loop.ts";
import type { Patience } from "../../common/patiently.ts";
import type { LiveStore } from "../store/live-store.ts";
import type { Owner } from "../store/partition-claims.ts";

export interface ClaimedPartition {
  readonly partition: number;
  readonly owner: Owner;
}

type Claims = Pick<LiveStore, "isFree" | "claim" | "release">;

const POLL_MS = 50;
/** kafkajs gives a write request up after 10 s, so an earlier owner has no write under way after this time. */
const GIVE_UP_MS = 12_000;

/**
 * Waits until the earlier owners have written their last outputs, because a takeover reads the outputs only once. A
 * killed owner counts as gone after a moment of silence. An owner that waits for the log counts as gone when its
 * request must have been given up. An owner that hangs for longer checks with the group before it writes.
 * @returns false when the signal aborted first, and nothing may be claimed.
 */
export async function untilFree(
  store: Pick<Claims, "isFree">,
  partitions: readonly number[],
  { log, signal }: Patience,
): Promise<boolean> {
  let busy = partitions;
  const areFree = async () => {
    const free = await Promise.all(busy.map((partition) => store.isFree(partition)));
    busy = busy.filter((_, i) => free[i] === false);
    return busy.length === 0;
  };
  if (await untilSo(areFree, { pauseMs: POLL_MS, withinMs: GIVE_UP_MS, signal })) return true;
  if (signal.aborted) return false;
  log.warn({ partitions: busy }, "earlier owner does not let go");
  return true;
}

/**
 * Claims the partitions before it looks up outputs: the next owner must see that this one may write. After a failed
 * look-up the claims are released.
 */
export async function claimed<T>(
  store: Claims,
  partitions: readonly number[],
  owner: Owner,
  inspect: () => Promise<T>,
): Promise<T> {
  await Promise.all(partitions.map((partition) => store.claim(partition, owner)));
  try {
    return await inspect();
  } catch (error) {
    // Otherwise the next attempt would wait until this claim counts as gone.
    await Promise.allSettled(partitions.map((partition) => store.release(partition, owner)));
    throw error;
  }
}

/**
 * Interval of the signs of life while a write is under way. The log may take longer to answer than an owner may be
 * silent, and the next owner must wait for the write.
 */
const HEARTBEAT_EVERY_MS = 1_000;

/** Runs `work`, and shows until its end that the owner is at work. */
export async function withHeartbeat<T>(
  { partition, owner }: ClaimedPartition,
  store: Pick<LiveStore, "renewClaim">,
  log: Log,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    store
      .renewClaim(partition, owner)
      .catch((error) => log.debug({ err: messageOf(error) }, "cannot show that the owner is at work"));
  }, HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Lets the next owner begin without waiting. Never rejects. */
export async function release(
  { partition, owner }: ClaimedPartition,
  store: Pick<Claims, "release">,
  log: Log,
): Promise<void> {
  try {
    await store.release(partition, owner);
  } catch (error) {
    log.debug({ err: messageOf(error) }, "release failed, the next owner waits a little");
  }
}
