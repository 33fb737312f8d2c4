import { messageOf } from "../../schemas/errors.ts";
import { isHopeless } from "./hopeless.ts";
import type { Log } from "./log.ts";

export interface Patience {
  readonly log: Log;
  /** Looked at after each failure: true ends it with that failure. */
  readonly isOver: () => boolean;
  /** Resolves when it is over, so that nobody waits for the end of a pause. */
  readonly over: Promise<unknown>;
}

const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;

/**
 * Repeats until it works, with growing pauses and a line in the log for each failure. Rejects with a failure that no
 * repetition can mend; the caller ends the process with it.
 */
export async function patiently<T>(what: string, attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { log, isOver, over } = patience;
  for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (isOver() || isHopeless(error)) throw error;
      log.warn({ err: messageOf(error), what, backoffMs }, "will try again");
      await Promise.race([sleep(backoffMs), over]);
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
