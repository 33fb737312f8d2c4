// Limits of the requests to the registry.
import { MINUTE_MS } from "../../../schemas/units.ts";

const SECOND_MS = 1_000;

/**
 * Each call resolves when the next request may begin. After a pause, the requests of one second may begin immediately.
 */
export function createQuestionPace(perSecond: number): () => Promise<void> {
  let fullUntil = 0;
  return async () => {
    const now = performance.now();
    fullUntil = Math.max(fullUntil, now) + SECOND_MS / perSecond;
    const waitMs = fullUntil - now - SECOND_MS;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  };
}

/**
 * Each call counts one wait.
 * @returns false when the waits of this minute are used up.
 */
export function createWaitBudget(perMinute: number): () => boolean {
  let since = performance.now();
  let taken = 0;
  return () => {
    if (performance.now() - since > MINUTE_MS) {
      since = performance.now();
      taken = 0;
    }
    taken += 1;
    return taken <= perMinute;
  };
}
