import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { growing, loop } from "../common/loop.ts";
import { codeOf, isStoreAway } from "../common/store-away.ts";
import { SessionFailed, SessionLost } from "./failed.ts";

const backoff = growing(100, 2_000);
/** ClickHouse gave the query up: TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED. */
const TOO_HEAVY = new Set<unknown>(["159", "241"]);
/** The machine may only have been busy, but a query that never ends must not be asked for ever. */
const LEAST_TRIES = 8;
/** From the first failure on: a server whose memory is full refuses at once, and so do the tries after it. */
const LEAST_MS = 180_000;

/**
 * Repeats while the store is away. Rejects with every other failure, with SessionLost once the signal has come, and with
 * SessionFailed when the store has given the query up again and again for minutes.
 */
export async function whileAway<T>(
  attempt: () => Promise<T>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<T> {
  const tries = createTries();
  const once = async () => {
    try {
      return { value: await attempt() };
    } catch (error) {
      tries.failed(error, performance.now());
      log.warn({ err: messageOf(error) }, "replay: a store is away");
      return undefined;
    }
  };
  const done = signal.aborted ? undefined : await loop(once, { pauseMs: backoff, signal });
  if (done === undefined) throw new SessionLost("stopped");
  return done.value;
}

/** `failed` throws when another try makes no sense; `now`: ms of any clock. */
export function createTries(): { failed(error: unknown, now: number): void } {
  let tooHeavy = 0;
  let since = 0;
  return {
    failed(cause, now) {
      if (!isTooHeavy(cause)) {
        tooHeavy = 0;
        if (!isStoreAway(cause)) throw cause;
        return;
      }
      if (tooHeavy === 0) since = now;
      tooHeavy += 1;
      if (tooHeavy < LEAST_TRIES || now - since < LEAST_MS) return;
      throw new SessionFailed("the history takes too long, or too much memory, to answer", { cause });
    },
  };
}

const isTooHeavy = (error: unknown): boolean => TOO_HEAVY.has(codeOf(error));
