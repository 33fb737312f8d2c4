// The ownership of a partition: the whole story, from the claim to its end.
//
// Assigned. The group gives each partition to one process. This process must then forget what it knew of any partition,
// because another one may have worked on it: it lets go of all, and takes over those it was given (`assign`).
//
// Claimed. The new owner waits until the earlier one has let go, or has been silent for too long (`untilFree`). It
// writes its name into the partition's position in Redis (`claimed`), and only then looks up which outputs the topics
// hold: the next owner sees the claim and waits in turn. Each takeover makes a name of its own.
//
// Kept. An owner shows that it is at work with every save, and with `staying` while it waits for the log.
//
// Fenced. Outputs are written only while the group has heard from us within the session time-out (`isOurs`, asked right
// before the request). Redis refuses a save unless the stored position is the one that this owner left there
// (live-scripts.ts). So an owner that hangs and wakes writes neither outputs nor live state.
//
// Ended. The next assignment, or the stop of the process, ends a claim: rounds on their way are finished first, and the
// claim is released (`letGo`). Outputs that were not written, or another owner that is further on, end it, too: the
// partition is abandoned (`abandon`), nothing more is written for it, and it is taken over anew while the others go on
// (`takeLostAgain`). After a kill -9 the next owner notices the silence.
import { messageOf } from "../../schemas/errors.ts";
import type { GroupReader } from "../common/kafka/group-reader.ts";
import type { Log } from "../common/log.ts";
import { untilSo } from "../common/loop.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import type { LiveStore, Owner } from "./live-store.ts";
import { createOwned, type Owned } from "./owned.ts";
import type { TakenOver } from "./take-over.ts";

export interface OwnershipOptions {
  readonly reader: GroupReader;
  readonly store: LiveStore;
  readonly topic: string;
  readonly elapsed: () => number;
  /** Leaves out partitions without a leader. Gives nothing when the signal came before the partitions were free. */
  readonly takeOver: (partitions: readonly number[], signal: AbortSignal) => Promise<TakenOver[]>;
  readonly log: Log;
  readonly patience: Patience;
  readonly onFailure: (error: unknown) => void;
}

export type Ownership = ReturnType<typeof createOwnership>;

/** From one assignment to the next. */
interface Tenure {
  readonly patience: Patience;
  readonly isOver: () => boolean;
  end(): void;
}

export function createOwnership(options: OwnershipOptions) {
  const { reader, store, topic, log, elapsed } = options;
  let owned = new Map<number, Owned>();
  let tenure = createTenure(options.patience);
  let takingAgain: Promise<void> | undefined;

  async function take(partitions: readonly number[], { patience, isOver }: Tenure): Promise<void> {
    const taken = await patiently("take over", () => options.takeOver(partitions, patience.signal), patience);
    if (isOver()) return release(taken);
    const found = new Set(taken.map(({ partition }) => partition));
    for (const partition of partitions) if (!found.has(partition)) postpone(partition);
    if (taken.length === 0) return;
    const starts = taken.map(({ partition, begin }) => ({ topic, partition, offset: begin }));
    const begun = await patiently("begin", () => reader.begin(starts), patience);
    if (isOver()) return release(taken);
    for (const [i, each] of taken.entries()) {
      const failures = owned.get(each.partition)?.failures ?? 0;
      owned.set(each.partition, createOwned(each, { next: begun[i] ?? each.begin, failures, elapsed }));
    }
    log.info({ partitions: [...found] }, "partitions taken over");
  }

  /** The next assignment, which comes once the partition has leaders again, takes it over. */
  function postpone(partition: number): void {
    owned.delete(partition);
    reader.postpone({ topic, partition });
  }

  /** False while others may be at work on it: an assignment then follows, or the group hears from us again. */
  const isOurs = ({ partition }: Owned): boolean => reader.owns({ topic, partition });

  async function takeAgain(lost: readonly Owned[], during: Tenure): Promise<void> {
    try {
      await Promise.all(lost.map(({ finished }) => finished));
      await release(lost);
      await take(
        lost.map(({ partition }) => partition),
        during,
      );
    } catch (error) {
      if (!during.isOver()) options.onFailure(error);
    } finally {
      takingAgain = undefined;
      reader.wake();
    }
  }

  /** The next owner then need not wait. */
  async function release(before: readonly Pick<Owned, "partition" | "owner">[]): Promise<void> {
    try {
      await Promise.all(before.map(({ partition, owner }) => store.release(partition, owner)));
    } catch (error) {
      log.debug({ err: messageOf(error) }, "release failed, the next owner waits a little");
    }
  }

  /** Nothing is written for these partitions after this. */
  async function letGo(): Promise<void> {
    tenure.end();
    const before = [...owned.values()];
    for (const mine of before) mine.abandoned = true;
    await takingAgain;
    await Promise.all(before.map(({ finished }) => finished));
    owned = new Map();
    await release(before);
  }

  return {
    isOurs,
    letGo,
    get: (partition: number): Owned | undefined => owned.get(partition),
    all: (): Owned[] => [...owned.values()],

    async assign(partitions: readonly number[]): Promise<void> {
      await letGo();
      tenure = createTenure(options.patience);
      if (partitions.length > 0) await take(partitions, tenure);
    },

    /** Begins to take over anew what was abandoned, and does not wait for it. */
    takeLostAgain(): void {
      if (takingAgain !== undefined) return;
      const nowMs = performance.now();
      const lost = [...owned.values()].filter((mine) => mine.abandoned && mine.againAt <= nowMs && isOurs(mine));
      if (lost.length > 0) takingAgain = takeAgain(lost, tenure);
    },
  };
}

function createTenure({ log, signal }: Patience): Tenure {
  const over = new AbortController();
  return {
    patience: { log, signal: AbortSignal.any([over.signal, signal]) },
    isOver: () => over.signal.aborted,
    end: () => over.abort(),
  };
}

type Claims = Pick<LiveStore, "isFree" | "claim" | "release">;

const POLL_MS = 50;
/** A request to write is given up after 10 s. */
const GIVE_UP_MS = 12_000;

/**
 * A takeover reads the outputs once, so the earlier owner must have written its last. A killed owner counts as gone
 * after a moment of silence. An owner that waits for the log counts as gone when its request must have been given up.
 * An owner that hangs for longer asks the group before it writes. False: the signal came before, nothing may be claimed.
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

/** Claims before it looks: the next owner must see that this one may write. A failed look gives the claim back. */
export async function claimed<T>(
  store: Claims,
  partitions: readonly number[],
  owner: Owner,
  look: () => Promise<T>,
): Promise<T> {
  await Promise.all(partitions.map((partition) => store.claim(partition, owner)));
  try {
    return await look();
  } catch (error) {
    // The next attempt would wait for this one.
    await Promise.allSettled(partitions.map((partition) => store.release(partition, owner)));
    throw error;
  }
}

/** The log may take longer to answer than an owner may be silent: the next owner waits for what is on its way. */
const STAY_EVERY_MS = 1_000;

/** Says that the owner is at work until the work has ended. */
export async function staying<T>(
  { partition, owner }: Owned,
  store: Pick<LiveStore, "stay">,
  log: Log,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    store
      .stay(partition, owner)
      .catch((error) => log.debug({ err: messageOf(error) }, "cannot show that the owner is at work"));
  }, STAY_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;

/** The first time it is taken over anew at once: a leader that moves is common. */
export function abandon(mine: Owned): void {
  if (mine.abandoned) return;
  mine.abandoned = true;
  const pauseMs = mine.failures === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (mine.failures - 1), MAX_PAUSE_MS);
  mine.againAt = performance.now() + pauseMs;
  mine.failures += 1;
}
