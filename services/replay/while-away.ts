import { messageOf } from "../../schemas/errors.ts";
import type { Log } from "../common/log.ts";
import { growing, loop } from "../common/loop.ts";
import { isStoreAway } from "../common/store-away.ts";
import { SessionLost } from "./failed.ts";

const backoff = growing(100, 2_000);

/** Repeats while the store is away. Rejects with every other failure, and with SessionLost once the signal has come. */
export async function whileAway<T>(
  attempt: () => Promise<T>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<T> {
  const once = async () => {
    try {
      return { value: await attempt() };
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      log.warn({ err: messageOf(error) }, "replay: a store is away");
      return undefined;
    }
  };
  const done = signal.aborted ? undefined : await loop(once, { pauseMs: backoff, signal });
  if (done === undefined) throw new SessionLost("stopped");
  return done.value;
}
