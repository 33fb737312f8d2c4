import { HeldCounts } from "./held-counts.ts";

/** One caller may have three quarters of everything, two callers three sevenths each. */
const TIMES_FREE = 3;

/**
 * Counts a limited number of things that callers have. A caller may have at most three times as many as are then left
 * free. So each caller leaves some to the next one, and nobody has to count the callers.
 */
export class FairShare extends HeldCounts<string> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  /**
   * The first thing of a caller need not be within its share: otherwise the caller could not have the last one that is
   * free. `take` does not check the share.
   */
  mayTake(caller: string, amount = 1): boolean {
    const free = this.#max - this.all - amount;
    if (free < 0) return false;
    const own = this.of(caller);
    return own === 0 || own + amount <= TIMES_FREE * free;
  }
}
