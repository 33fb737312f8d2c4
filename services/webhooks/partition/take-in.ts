// Takes a batch of the log into the queues of its partition, in portions.
import { messageOf } from "../../../schemas/errors.ts";
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";
import { NotOwner } from "../../common/partitions/not-owner.ts";
import { isPermanentError } from "../../common/permanent-errors.ts";
import { type ArrivalsDeps, createArrivals } from "./arrivals.ts";
import { AGAIN_MS, type DeferredBatch, waitUntilCaughtUp } from "./deferred-batch.ts";
import type { OwnedSignals } from "./owned-signals.ts";

export interface TakeInDeps extends ArrivalsDeps {
  /**
   * Resolves when `subscriptions` contains everything that the log had at the call; rejects when that takes too long.
   */
  readonly caughtUp: () => Promise<void>;
}

interface TakeInCalls {
  /** Called when a deferred batch may be taken in. */
  readonly onDue: () => void;
  /** Called after a failure that a retry cannot mend. */
  readonly onFailed: (error: unknown) => void;
}

const PORTION = 250;

/** A batch that cannot be taken in yet is deferred, and its partition waits alone: the others must not wait for it. */
export function createTakeIn(deps: TakeInDeps, { onDue, onFailed }: TakeInCalls) {
  const { codec, log, caughtUp } = deps;
  const arrivals = createArrivals(deps);

  /** @returns false when the rest must wait until the subscriptions have been read further. */
  async function takePortions(mine: OwnedSignals, { messages, next }: TakenBatch, hasCaughtUp: boolean) {
    for (let first = 0; first === 0 || first < messages.length; first += PORTION) {
      const signals = arrivals.read(messages.slice(first, first + PORTION), mine.finished);
      if (!hasCaughtUp && signals.some(arrivals.isInDoubt)) return false;
      const arrived = signals.map((signal) => arrivals.assess(signal, mine.logIds));
      await mine.accept(arrived, Number(messages[first + PORTION]?.offset ?? next));
    }
    return true;
  }

  return async (mine: OwnedSignals, batch: TakenBatch): Promise<void> => {
    const hasCaughtUp = mine.resume()?.hasCaughtUp ?? false;
    const defer = (until: number): DeferredBatch => {
      const messages = batch.messages.filter(({ offset }) => Number(offset) >= mine.next);
      return mine.defer({ batch: { ...batch, messages }, until, hasCaughtUp });
    };
    try {
      const values = batch.messages.map(({ value }) => value);
      await codec.loadSchemas(values, { topic: batch.topic });
      if (!(await takePortions(mine, batch, hasCaughtUp))) {
        const waiting = defer(Number.POSITIVE_INFINITY);
        void waitUntilCaughtUp(waiting, { caughtUp, log, onFailed }).then(onDue);
        return;
      }
      if (batch.next >= batch.highWatermark) mine.reachedEnd();
    } catch (error) {
      if (error instanceof NotOwner) return mine.tenure.markLost(messageOf(error));
      if (isPermanentError(error)) throw error;
      log.warn({ err: messageOf(error), partition: batch.partition }, "cannot take signals in yet");
      defer(performance.now() + AGAIN_MS);
    }
  };
}
