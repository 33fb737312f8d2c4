// Leaves the processor to what is recorded now: a low priority alone does not, because a process that waits for nothing is
// in the way of those that wake up.
import { pause } from "../common/loop.ts";

export interface LeaveRoomOptions {
  /** Of one core, 1 to 100. */
  readonly percent: number;
  /** Times in which this process worked and waited since the beginning, ms. */
  readonly spent: () => { readonly active: number; readonly idle: number };
  readonly rest?: (ms: number) => Promise<void>;
}

/** It works so long before it rests. */
const SLICE_MS = 10;
/** A stall of the machine counts as work, and must not stop replays for long. */
const LONGEST_REST_MS = 500;

/** Resolves when all sessions together have not worked for more than their share of the time. */
export function createLeaveRoom({ percent, spent, rest = pause }: LeaveRoomOptions): () => Promise<void> {
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
