// Signals that a partition cannot take in yet.
import { messageOf } from "../../../schemas/errors.ts";
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";
import type { Log } from "../../common/log.ts";
import { isPermanentError } from "../../common/permanent-errors.ts";

export interface DeferredBatch {
  readonly batch: TakenBatch;
  /** Time of the next attempt, by performance.now(). */
  until: number;
  /** True when the subscriptions have been read as far as these signals need them. */
  hasCaughtUp: boolean;
}

interface CatchUp {
  /** Resolves when the view contains everything that the log had at the call; rejects when that takes too long. */
  readonly caughtUp: () => Promise<void>;
  readonly log: Log;
  readonly onFailed: (error: unknown) => void;
}

export const AGAIN_MS = 1_000;

/** Resolves when `held.until` is set. Never rejects, so no caller has to await it. */
export async function waitUntilCaughtUp(held: DeferredBatch, { caughtUp, log, onFailed }: CatchUp): Promise<void> {
  try {
    await caughtUp();
    held.hasCaughtUp = true;
    held.until = 0;
  } catch (error) {
    if (isPermanentError(error)) onFailed(error);
    log.warn({ err: messageOf(error), partition: held.batch.partition }, "cannot read the subscriptions yet");
    held.until = performance.now() + AGAIN_MS;
  }
}
