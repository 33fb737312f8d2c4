import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "./log.ts";
import { growing, untilDone } from "./loop.ts";
import { isPermanentError } from "./permanent-errors.ts";

export interface Patience {
  readonly log: Log;
  /** After an abort a failure is final, and a pause ends at once. */
  readonly signal: AbortSignal;
}

const backoffOf = growing(100, 2_000);

/**
 * Retries until the attempt succeeds, with growing pauses and a line in the log for each failure. Rejects with a
 * failure that no retry can mend; the caller ends the process with it.
 */
export function patiently<T>(what: string, attempt: () => Promise<T>, { log, signal }: Patience): Promise<T> {
  let failures = 0;
  const mayRepeat = (failure: unknown): boolean => {
    if (signal.aborted || isPermanentError(failure)) return false;
    log.warn({ err: messageOf(failure), what, backoffMs: backoffOf(failures) }, "will try again");
    failures += 1;
    return true;
  };
  return untilDone(attempt, mayRepeat, { pauseMs: backoffOf, signal });
}
