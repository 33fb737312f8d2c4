import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "./log.ts";
import { growing, loop } from "./loop.ts";
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
export async function patiently<T>(what: string, attempt: () => Promise<T>, { log, signal }: Patience): Promise<T> {
  let failures = 0;
  let failure: unknown;
  const done = await loop(
    async () => {
      try {
        return { value: await attempt() };
      } catch (error) {
        if (signal.aborted || isPermanentError(error)) throw error;
        failure = error;
        log.warn({ err: messageOf(error), what, backoffMs: backoffOf(failures) }, "will try again");
        failures += 1;
        return undefined;
      }
    },
    { pauseMs: backoffOf, signal },
  );
  if (done === undefined) throw failure;
  return done.value;
}
