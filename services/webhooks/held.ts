// Signals that a partition could not take in yet.
import { messageOf } from "../../schemas/errors.ts";
import { isHopeless } from "../common/hopeless.ts";
import type { Taken } from "../common/kafka/group-reader.ts";
import type { Log } from "../common/log.ts";

export interface Held {
  readonly batch: Taken;
  /** When to try again (performance.now()). */
  until: number;
  /** The subscriptions have been read as far as these signals need them. */
  hasCaughtUp: boolean;
}

interface CatchUp {
  /** Resolves when the view has all that the log had at the call; rejects when that takes too long. */
  readonly caughtUp: () => Promise<void>;
  readonly log: Log;
  readonly onFailed: (error: unknown) => void;
}

export const AGAIN_MS = 1_000;

/** Resolves when `held` says when to try again. Never rejects: nobody needs to wait for it. */
export async function catchUp(held: Held, { caughtUp, log, onFailed }: CatchUp): Promise<void> {
  try {
    await caughtUp();
    held.hasCaughtUp = true;
    held.until = 0;
  } catch (error) {
    if (isHopeless(error)) onFailed(error);
    log.warn({ err: messageOf(error), partition: held.batch.partition }, "cannot read the subscriptions yet");
    held.until = performance.now() + AGAIN_MS;
  }
}
