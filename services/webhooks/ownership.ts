// Whether a partition is still this process's, asked right before each request. A process that was paused does not know
// how long, and another one may have taken the partition over meanwhile.
import type { Queue } from "./queue.ts";

export interface Ownership {
  /** Rejects when Redis does not answer. */
  isHeld(): Promise<boolean>;
}

/** So long an answer of Redis counts. Thousands of requests a second need one question a second. */
const FRESH_MS = 1_000;

export function createOwnership(queue: Pick<Queue, "isOwned">): Ownership {
  let saidAt = Number.NEGATIVE_INFINITY;
  const isFresh = () => performance.now() - saidAt < FRESH_MS;
  return {
    async isHeld() {
      if (isFresh()) return true;
      // The time of the question: a process that is paused reads the answer late.
      const askedAt = performance.now();
      if (!(await queue.isOwned())) return false;
      saidAt = Math.max(saidAt, askedAt);
      return isFresh();
    },
  };
}
