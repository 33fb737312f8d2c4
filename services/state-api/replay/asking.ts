// The questions of callers to the history: bounded in number and time, and ended when their caller has gone.
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import { createBoundedRuns, orEnd, type RunCaller } from "../../recorded/bounded-runs.ts";

/** The client that `work` gets sends queries of this caller only. */
export type AskHistory = <T>(caller: RunCaller, work: (history: QueryClient) => Promise<T>) => Promise<T>;

export interface AskingOptions {
  readonly history: Pick<QueryClient, "query">;
  /** Requests that run or wait. */
  readonly most: number;
  readonly limitMs: number;
}

/** Live processing needs the store, too. */
const RUNNING = 1;

const tooLong = "the history needs longer for this than STATE_API_PAST_QUERY_MS";
const tooMany = "too many requests that need the history are in progress";

/** Answers of endpoints that ask the history. */
export const refusedQuestions = {
  422: { description: "The history needs too much time or memory for the answer (STATE_API_PAST_QUERY_MS)." },
  429: {
    description:
      "Too many requests that need the history are in progress, of all tokens or of this one (STATE_API_PAST_QUERIES), " +
      "or the token exceeds STATE_API_TOKEN_REQUESTS_PER_S or STATE_API_TOKEN_BYTES_PER_S.",
  },
} as const;

export function createAskHistory({ history, most, limitMs }: AskingOptions): AskHistory {
  const runs = createBoundedRuns({ most, running: RUNNING, limitMs, tooLong, tooMany });
  return (caller, work) =>
    runs(caller, ({ ending }) =>
      work({ query: (params) => orEnd(history.query({ ...params, abort_signal: ending.signal }), ending) }),
    );
}
