// Requests that read the log again while their callers wait: bounded in number, in time, and in the share of the
// process that they take.
import { setTimeout as delay } from "node:timers/promises";
import { AppError, tooManyRequests, unavailable } from "../../schemas/errors.ts";
import { FairShare } from "../common/fairness/fair-share.ts";
import type { LogFetcher } from "../common/kafka/read/fetch-log.ts";
import { verdictOf } from "../common/store-away.ts";
import { createTurns } from "../common/turns.ts";
import { SessionFailed } from "./failed.ts";

export interface RunCaller {
  readonly tokenId: string;
  /** Aborts when the caller has gone. */
  readonly gone: AbortSignal;
}

export interface Running {
  /** Ends the work: when the caller has gone, when the time is over, or when a store has failed. */
  readonly ending: AbortController;
  /** Must be called between the steps of the work; a promise must be awaited. */
  readonly pace: () => Promise<void> | undefined;
}

export interface BoundedRunsOptions {
  /** Requests that run or wait. */
  readonly most: number;
  /** Requests that run at a time. */
  readonly running: number;
  readonly limitMs: number;
  /** Message of the refusal of a request that takes longer. */
  readonly tooLong: string;
  /** Message of the refusal when too many are in progress. */
  readonly tooMany?: string;
}

export type BoundedRuns = <T>(caller: RunCaller, work: (running: Running) => Promise<T>) => Promise<T>;

/** Time for which all runs together hold the event loop, and then leave it to others, ms. */
const SLICE_MS = 10;

export function createBoundedRuns({
  most,
  running,
  limitMs,
  tooLong,
  tooMany = "too many requests for past moments are in progress",
}: BoundedRunsOptions): BoundedRuns {
  const inProgress = new FairShare(most);
  const turns = createTurns(running);
  const rest = createRests();

  return async ({ tokenId, gone }, work) => {
    if (!inProgress.mayTake(tokenId)) throw tooManyRequests(tooMany);
    inProgress.take(tokenId);
    const ending = new AbortController();
    const { signal } = ending;
    const ended = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => ended.reject(signal.reason), { once: true });
    const leave = () => ending.abort(unavailable("the caller has gone"));
    gone.addEventListener("abort", leave, { once: true });
    if (gone.aborted) leave();
    const timer = setTimeout(() => ending.abort(tooHeavy(tooLong)), limitMs);
    const pace = () => {
      signal.throwIfAborted();
      return rest();
    };
    try {
      const run = turns.run(async () => {
        signal.throwIfAborted();
        return work({ ending, pace });
      });
      // A store may answer late: the caller does not wait for it, but the next run does.
      return await Promise.race([run, ended.promise]);
    } catch (error) {
      // Work that the signal interrupts fails in many ways.
      if (signal.aborted) throw signal.reason;
      // The log loses its oldest messages at any time; then the history has them.
      throw error instanceof SessionFailed ? unavailable(error.message) : error;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", leave);
      inProgress.giveBack(tokenId);
    }
  };
}

export const tooHeavy = (message: string): AppError => new AppError("QUERY_TOO_HEAVY", message);

/** A session waits for a store that is away; a caller gets an error instead. */
export async function orEnd<T>(asked: Promise<T>, ending: AbortController): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (verdictOf(error) !== "mistake") ending.abort(error);
    throw error;
  }
}

export const endingFetcher = (fetcher: Pick<LogFetcher, "fetch">, ending: AbortController): typeof fetcher => ({
  fetch: (id, offset) => orEnd(fetcher.fetch(id, offset), ending),
});

/** Returns a function that returns a promise when it is time for a rest, the same for all callers. */
function createRests(): () => Promise<void> | undefined {
  let since = performance.now();
  let resting: Promise<void> | undefined;
  async function rest(): Promise<void> {
    await delay(SLICE_MS);
    resting = undefined;
    since = performance.now();
  }
  return () => {
    if (performance.now() - since >= SLICE_MS) resting ??= rest();
    return resting;
  };
}
