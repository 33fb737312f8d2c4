// Checks whether everything that the log held at a moment has been folded: only then is a camera without messages
// really silent.
import { messageOf } from "../../../schemas/errors.ts";
import type { EndOffsets } from "../../common/kafka/read/partition-ends.ts";
import type { Log } from "../../common/log.ts";

export interface CaughtUpOptions {
  readonly ask: () => Promise<EndOffsets>;
  /**
   * Returns the time of the partition's log clock, ms.
   * @returns undefined while the clock is unknown: the end of the log then proves nothing about the time.
   */
  readonly now: (partition: number) => number | undefined;
  readonly log: Log;
  readonly onAnswer: () => void;
}

interface LogEnd {
  /** Log time right before the request to the broker: every message recorded until then is before `high`. */
  readonly askedAtMs: number;
  readonly high: number;
}

export type CaughtUp = ReturnType<typeof createCatchUpCheck>;

/** All partitions share one request. Requests are at least this far apart, ms. */
const ASK_EVERY_MS = 200;

export function createCatchUpCheck({ ask, now, log, onAnswer }: CaughtUpOptions) {
  const wanted = new Set<number>();
  const ends = new Map<number, LogEnd>();
  let asking = false;
  let lastAskedAt = Number.NEGATIVE_INFINITY;

  async function fetchEnds(): Promise<void> {
    const askedAt = new Map([...wanted].map((partition) => [partition, now(partition)]));
    wanted.clear();
    try {
      for (const [partition, high] of await ask()) {
        const askedAtMs = askedAt.get(partition);
        if (high !== undefined && askedAtMs !== undefined) ends.set(partition, { askedAtMs, high });
      }
    } catch (error) {
      log.debug({ err: messageOf(error) }, "the broker does not say where the log ends");
    } finally {
      asking = false;
    }
    onAnswer();
  }

  return {
    /** Requests the partition's end, unless a known one has not been reached yet. */
    want(partition: number): void {
      if (!ends.has(partition)) wanted.add(partition);
    },

    /**
     * Returns the log time, ms, at which the log had nothing at `next` or later. Each requested end answers once.
     * @returns undefined while no requested end has been reached.
     */
    at(partition: number, next: number): number | undefined {
      const end = ends.get(partition);
      if (end === undefined || next < end.high) return undefined;
      ends.delete(partition);
      return end.askedAtMs;
    },

    /** Does not wait: folding continues. Without an answer the end stays unknown, and the next call asks again. */
    askWhenDue(): void {
      if (asking || wanted.size === 0 || performance.now() - lastAskedAt < ASK_EVERY_MS) return;
      asking = true;
      lastAskedAt = performance.now();
      void fetchEnds();
    },
  };
}
