// Bounds the texts of all subscriptions of the process together: what is kept of them takes some 17 times as much memory.
import { unavailable } from "../../../schemas/errors.ts";

export interface TextBudget {
  /** Throws UNAVAILABLE when there is no room. */
  take(bytes: number): void;
  giveBack(bytes: number): void;
}

const RETRY_AFTER_MS = 1_000;
/** The memory of a subscription with hardly any text is that of so many bytes of text. */
const OVERHEAD_BYTES = 768;

export function createTextBudget(maxBytes: number): TextBudget {
  let used = 0;
  return {
    take(bytes) {
      const own = bytes + OVERHEAD_BYTES;
      if (used + own > maxBytes) {
        throw unavailable("too many subscriptions here (API_SUBSCRIPTION_BYTES)", RETRY_AFTER_MS);
      }
      used += own;
    },
    giveBack(bytes) {
      used -= bytes + OVERHEAD_BYTES;
    },
  };
}
