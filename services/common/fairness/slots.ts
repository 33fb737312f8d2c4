// Runs a limited number of tasks at a time. No caller has all of the slots, and a slot that becomes free goes to the
// waiting caller that has the fewest.
import { type AppError, unavailable } from "../../../schemas/errors.ts";
import { FairLine } from "./fair-line.ts";
import { HeldCounts } from "./held-counts.ts";

export interface Slots {
  /**
   * Runs the work when the caller has a slot. Rejects with the refusal when too much of this caller's work waits
   * already, and with UNAVAILABLE when the signal aborts before the work began.
   */
  run<T>(caller: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  running(): number;
  waiting(): number;
}

export interface SlotsOptions {
  readonly max: number;
  /** Tasks of the caller that may wait. */
  readonly maxWaiting: (caller: string) => number;
  /** Returns the error for a task beyond `maxWaiting`. */
  readonly refusal: (caller: string) => AppError;
}

/** The part of the slots that one caller may have: the next caller need not wait until one of its tasks ends. */
const SHARE = 0.75;

export function createSlots({ max, maxWaiting, refusal }: SlotsOptions): Slots {
  const line = new FairLine<() => void>();
  const running = new HeldCounts<string>();
  const maxOfCaller = Math.max(1, Math.floor(max * SHARE));

  const mayBegin = (caller: string): boolean => running.all < max && running.of(caller) < maxOfCaller;

  function end(caller: string): void {
    running.giveBack(caller);
    line.shift((each) => (mayBegin(each) ? running.of(each) : undefined))?.();
  }

  /** Resolves when the caller has the slot, which counts as taken from then on. */
  function turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        signal?.removeEventListener("abort", leave);
        running.take(caller);
        resolve();
      };
      const leave = () => {
        line.remove(caller, next);
        reject(gone());
      };
      line.push(caller, next);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  return {
    running: () => running.all,
    waiting: () => line.size,
    async run(caller, work, signal) {
      if (signal?.aborted === true) throw gone();
      // A caller that has work in the line never overtakes it.
      if (line.countOf(caller) === 0 && mayBegin(caller)) running.take(caller);
      else if (line.countOf(caller) >= maxWaiting(caller)) throw refusal(caller);
      else await turn(caller, signal);
      try {
        return await work();
      } finally {
        end(caller);
      }
    },
  };
}

const gone = () => unavailable("the client is gone");
