// Recent response times of the receivers. Only the time that a receiver holds a request counts, not whether it accepts
// it.
import { LRUCache } from "lru-cache";

/** "new" means that the receiver has not answered yet, as far as this process knows. */
export type Standing = "quick" | "new" | "troubled";

export interface Receivers {
  standing(url: string): Standing;
  note(url: string, attempt: { readonly ms: number; readonly failed: boolean }): void;
}

interface Known {
  /** Weighted average over its attempts; the newest has the greatest weight. */
  readonly averageMs: number;
  readonly failed: boolean;
}

const SLOW_MS = 1_000;
/** Weight of the newest attempt: after one of ten seconds, about ten quick ones make a receiver quick again. */
const WEIGHT = 0.2;
const REMEMBERED = 20_000;

/** Classifies a single attempt. */
export const isSlow = (ms: number): boolean => ms > SLOW_MS;

export function createReceivers(): Receivers {
  const receivers = new LRUCache<string, Known>({ max: REMEMBERED });
  return {
    standing(url) {
      const known = receivers.get(url);
      if (known === undefined) return "new";
      return known.failed || isSlow(known.averageMs) ? "troubled" : "quick";
    },
    note(url, { ms, failed }) {
      const before = receivers.get(url)?.averageMs ?? ms;
      receivers.set(url, { averageMs: before + WEIGHT * (ms - before), failed });
    },
  };
}
