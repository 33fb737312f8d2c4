// Leaves the processor to live processing: a low priority alone does not, because a process that never waits delays
// those that wake up.
import { pause } from "../common/loop.ts";

export interface ProcessorShareOptions {
  /** Percentage of one core, 1 to 100. */
  readonly percent: number;
  /** Returns the times that this process has spent working and waiting since the beginning, ms. */
  readonly spent: () => { readonly active: number; readonly idle: number };
  readonly rest?: (ms: number) => Promise<void>;
}

/** Milliseconds of work before a rest. */
const SLICE_MS = 10;
/** A stall of the machine counts as work, and must not stop replays for long. */
const LONGEST_REST_MS = 500;

/** Returns a function that resolves when all sessions together have used no more than their share of the time. */
export function createProcessorShare({ percent, spent, rest = pause }: ProcessorShareOptions): () => Promise<void> {
  let since = spent();
  let resting: Promise<void> | undefined;

  async function takeRest(ms: number): Promise<void> {
    await rest(Math.min(ms, LONGEST_REST_MS));
    since = spent();
    resting = undefined;
  }

  return async () => {
    if (resting === undefined) {
      const now = spent();
      const active = now.active - since.active;
      if (active < SLICE_MS) return;
      const owedMs = (active * (100 - percent)) / percent - (now.idle - since.idle);
      since = now;
      if (owedMs <= 0) return;
      resting = takeRest(owedMs);
    }
    await resting;
  };
}
