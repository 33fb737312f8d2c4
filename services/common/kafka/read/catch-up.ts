// Lets a reader wait until it has everything that a topic has now.
import { unavailable } from "../../../../schemas/errors.ts";
import { shareCalls } from "../../share-calls.ts";
import type { EndOffsets, PartitionEnds } from "./partition-ends.ts";

export interface CatchUp {
  /** Must be called when the reader has taken in all messages before `next`. */
  passed(partition: number, next: number): void;
  /**
   * Resolves when the reader has everything that was acknowledged before the call; rejects with UNAVAILABLE after
   * `withinMs`.
   */
  wait(withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/** `ends` must be the ends for writers. They are closed with the result. */
export function createCatchUp(ends: PartitionEnds, topic: string): CatchUp {
  const nexts = new Map<number, number>();
  const askEnds = shareCalls(() => ends.ask(topic));
  /** A caller that has given up is not among them: the topic may stay silent for days. */
  const waiting = new Set<() => void>();

  const isReached = (found: EndOffsets): boolean =>
    [...found].every(([partition, end]) => end !== undefined && (nexts.get(partition) ?? 0) >= end);

  return {
    passed(partition, next) {
      nexts.set(partition, next);
      for (const check of waiting) check();
    },

    async wait(withinMs) {
      const reached = Promise.withResolvers<void>();
      const timer = setTimeout(() => reached.reject(unavailable("the log does not answer")), withinMs);
      /** Does nothing until the broker has answered. */
      let check = (): void => undefined;
      const asked = askEnds().then((found) => {
        check = () => {
          if (isReached(found)) reached.resolve();
        };
        check();
        return reached.promise;
      });
      const recheck = () => check();
      waiting.add(recheck);
      try {
        await Promise.race([asked, reached.promise]);
      } finally {
        clearTimeout(timer);
        waiting.delete(recheck);
      }
    },

    close: ends.close,
  };
}
