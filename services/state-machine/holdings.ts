// The partitions that this process holds. It takes all over with an assignment, and one alone when its outputs were not
// written, while the others go on.
import { messageOf } from "../../schemas/errors.ts";
import type { GroupReader } from "../common/kafka/group-reader.ts";
import type { Log } from "../common/log.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import type { LiveStore } from "./live-store.ts";
import { createOwned, type Owned } from "./owned.ts";
import type { TakenOver } from "./take-over.ts";

export interface HoldingsOptions {
  readonly reader: GroupReader;
  readonly store: LiveStore;
  readonly topic: string;
  readonly takeOver: (partitions: readonly number[]) => Promise<TakenOver[]>;
  readonly log: Log;
  readonly patience: Patience;
  readonly onFailure: (error: unknown) => void;
}

/** From one assignment to the next. */
interface Tenure {
  readonly patience: Patience;
  readonly isOver: () => boolean;
  end(): void;
}

export function createHoldings(options: HoldingsOptions) {
  const { reader, store, topic, log } = options;
  let owned = new Map<number, Owned>();
  let tenure = createTenure(options.patience);
  let takingAgain: Promise<void> | undefined;

  async function take(partitions: readonly number[], { patience, isOver }: Tenure): Promise<void> {
    const taken = await patiently("take over", () => options.takeOver(partitions), patience);
    const starts = taken.map(({ partition, begin }) => ({ topic, partition, offset: begin }));
    const begun = await patiently("begin", () => reader.begin(starts), patience);
    if (isOver()) return release(taken);
    for (const [i, each] of taken.entries()) {
      const failures = owned.get(each.partition)?.failures ?? 0;
      owned.set(each.partition, createOwned(each, begun[i] ?? each.begin, failures));
    }
    log.info({ partitions }, "partitions taken over");
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
