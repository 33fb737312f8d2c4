// The rounds of all partitions: folded one after the other, each on its way to Kafka and Redis while the next is
// folded. The rounds of a partition finish in order; partitions do not wait for one another.
import { setImmediate } from "node:timers/promises";
import { type FinishDeps, finishRound } from "./finish-round.ts";
import { type FoldDeps, foldRound } from "./fold-round.ts";
import { canFold, type Owned, type Round } from "./owned.ts";

export interface RoundsDeps {
  readonly fold: FoldDeps;
  readonly finish: FinishDeps;
  /** A round has ended, and its partition may be folded again. */
  readonly onFinished: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Folding gives way to other work of this process after this. */
const YIELD_AFTER_MS = 20;

export function createRounds({ fold, finish, onFinished, onFailure }: RoundsDeps) {
  function begin(round: Round): void {
    const { owned: mine } = round;
    const isEverything = round.save !== undefined && "everything" in round.save.changes;
    if (isEverything) mine.frozen = true;
    mine.rounds += 1;
    mine.finished = mine.finished
      .then(() => finishRound(round, finish))
      .catch((error) => {
        // A later round would be saved without this one.
        mine.abandoned = true;
        onFailure(error);
      })
      .then(() => {
        mine.rounds -= 1;
        if (isEverything) mine.frozen = false;
        onFinished();
      });
  }

  return {
    /** Folds a portion of each partition. In between, heartbeats go out and answers come in. */
    async foldAll(all: readonly Owned[]): Promise<void> {
      let since = performance.now();
      for (const mine of all) {
        if (!canFold(mine)) continue;
        const round = foldRound(mine, fold);
        if (round !== undefined) begin(round);
        if (performance.now() - since < YIELD_AFTER_MS) continue;
        await setImmediate();
        since = performance.now();
      }
    },
  };
}
