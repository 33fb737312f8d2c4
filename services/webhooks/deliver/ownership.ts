// Checks right before each request whether this process still owns the partition. A paused process does not know for
// how long it was paused, and another process may have taken the partition over meanwhile.
import type { Queue } from "../queue/queue.ts";

export interface QueueOwnership {
  /** Rejects when Redis does not answer. */
  isHeld(): Promise<boolean>;
}

/**
 * Milliseconds for which an answer of Redis is valid, so that thousands of requests a second cause one query a second.
 */
const FRESH_MS = 1_000;

export function createQueueOwnership(queue: Pick<Queue, "isOwned">): QueueOwnership {
  let confirmedAt = Number.NEGATIVE_INFINITY;
  const isFresh = () => performance.now() - confirmedAt < FRESH_MS;
  return {
    async isHeld() {
      if (isFresh()) return true;
      // The answer is valid from the time of the query, not of the answer: a process that was paused reads the answer
      // late.
      const askedAt = performance.now();
      if (!(await queue.isOwned())) return false;
      confirmedAt = Math.max(confirmedAt, askedAt);
      return isFresh();
    },
  };
}
