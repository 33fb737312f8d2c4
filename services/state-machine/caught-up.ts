// Knows whether everything that the log held at a moment has been folded: only then is a camera without news really
// silent.
import { messageOf } from "../../schemas/errors.ts";
import type { Ends } from "../common/kafka/partition-ends.ts";
import type { Log } from "../common/log.ts";

export interface CaughtUpOptions {
  readonly ask: () => Promise<Ends>;
  /** The clock of the partition's log; undefined: it is not known, and the end tells nothing about a time. */
  readonly now: (partition: number) => number | undefined;
  readonly log: Log;
  readonly onAnswer: () => void;
}

interface LogEnd {
  /** Read before the broker was asked: every message recorded until then lies before `high`. */
  readonly askedAtMs: number;
  readonly high: number;
}

export type CaughtUp = ReturnType<typeof createCaughtUp>;

/** One request for all partitions, at most this often. */
const ASK_EVERY_MS = 200;

export function createCaughtUp({ ask, now, log, onAnswer }: CaughtUpOptions) {
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
    /** The partition's end will be asked for, unless one that is known has not been reached yet. */
    want(partition: number): void {
      if (!ends.has(partition)) wanted.add(partition);
    },

    /** The time of the log's clock at which the log held nothing beyond `next`; once for each end that was asked for. */
    at(partition: number, next: number): number | undefined {
      const end = ends.get(partition);
      if (end === undefined || next < end.high) return undefined;
      ends.delete(partition);
      return end.askedAtMs;
    },

    /** Does not wait: folding goes on. Without an answer nothing is known, and it is asked again when wanted. */
    askWhenDue(): void {
      if (asking || wanted.size === 0 || performance.now() - lastAskedAt < ASK_EVERY_MS) return;
      asking = true;
      lastAskedAt = performance.now();
      void fetchEnds();
    },
  };
}
