// Runs a limited number of tasks at a time. No caller has all of the slots, and a slot that becomes free goes to the
// waiting caller that has the fewest.
import { type AppError, unavailable } from "../../../schemas/errors.ts";
import { FairLine } from "./fair-line.ts";

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
  const ofCallers = new Map<string, number>();
  const maxOfCaller = Math.max(1, Math.floor(max * SHARE));
  let running = 0;

  const own = (caller: string): number => ofCallers.get(caller) ?? 0;
  const mayBegin = (caller: string): boolean => running < max && own(caller) < maxOfCaller;

  function begin(caller: string): void {
    running += 1;
    ofCallers.set(caller, own(caller) + 1);
  }

  function end(caller: string): void {
    running -= 1;
    const left = own(caller) - 1;
    if (left > 0) ofCallers.set(caller, left);
    else ofCallers.delete(caller);
    line.shift((each) => (mayBegin(each) ? own(each) : undefined))?.();
  }

  /** Resolves when the caller has the slot, which counts as taken from then on. */
  function turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const next = () => {
        signal?.removeEventListener("abort", leave);
        begin(caller);
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
    running: () => running,
    waiting: () => line.size,
    async run(caller, work, signal) {
      if (signal?.aborted === true) throw gone();
      // A caller that has work in the line never overtakes it.
      if (line.countOf(caller) === 0 && mayBegin(caller)) begin(caller);
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
