// The rounds of all partitions: folded one after the other, each under way to Kafka and Redis while the next is folded.
// The rounds of a partition finish in order; partitions do not wait for one another.
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../../schemas/errors.ts";
import { type FinishDeps, finishRound } from "./finish-round.ts";
import { foldRound, type RoundDeps } from "./fold-round.ts";
import { roundSeconds } from "./metrics.ts";
import type { FoldedRound, OwnedPartition } from "./owned-partition.ts";

export interface RoundsDeps {
  readonly fold: RoundDeps;
  readonly finish: FinishDeps;
  /** Called when a round has ended, and its partition may be folded again. */
  readonly onFinished: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Folding gives way to other work of this process after this time. */
const YIELD_AFTER_MS = 20;

export function createRounds({ fold, finish, onFinished, onFailure }: RoundsDeps) {
  async function write(round: FoldedRound): Promise<void> {
    const { span, messages } = round;
    const observeSeconds = roundSeconds.startTimer();
    try {
      await finishRound(round, finish);
      observeSeconds();
      span?.end({ "tracklog.outputs": messages.length });
    } catch (error) {
      span?.end({}, "error");
      // Otherwise a later round would be saved without this one.
      round.owned.markLost(messageOf(error));
      onFailure(error);
    }
  }

  function begin(round: FoldedRound): void {
    const { owned, save } = round;
    const isWhole = save !== undefined && "everything" in save.changes;
    owned.tenure.run(owned.rounds.add(() => write(round), isWhole).then(onFinished));
  }

  return {
    /** Folds a portion of each partition. In between, heartbeats and answers are handled. */
    async foldAll(all: readonly OwnedPartition[]): Promise<void> {
      let since = performance.now();
      for (const mine of all) {
        if (!mine.canFold) continue;
        const round = foldRound(mine, fold);
        if (round !== undefined) begin(round);
        if (performance.now() - since < YIELD_AFTER_MS) continue;
        await setImmediate();
        since = performance.now();
      }
    },
  };
}
