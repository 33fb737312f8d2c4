/** One caller may have three quarters of everything, two callers three sevenths each. */
const TIMES_FREE = 3;

/**
 * Counts a limited number of things that callers have. A caller may have at most three times as many as are then left
 * free. So each caller leaves some to the next one, and nobody has to count the callers.
 */
export class FairShare {
  readonly #max: number;
  readonly #ofCallers = new Map<string, number>();
  #all = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get all(): number {
    return this.#all;
  }

  of(caller: string): number {
    return this.#ofCallers.get(caller) ?? 0;
  }

  /**
   * The first thing of a caller need not be within its share: otherwise the caller could not have the last one that is
   * free.
   */
  mayTake(caller: string, amount = 1): boolean {
    const free = this.#max - this.#all - amount;
    if (free < 0) return false;
    const own = this.of(caller);
    return own === 0 || own + amount <= TIMES_FREE * free;
  }

  /** Does not check the limits: see `mayTake`. */
  take(caller: string, amount = 1): void {
    this.#all += amount;
    this.#ofCallers.set(caller, this.of(caller) + amount);
  }

  giveBack(caller: string, amount = 1): void {
    this.#all -= amount;
    const left = this.of(caller) - amount;
    if (left > 0) this.#ofCallers.set(caller, left);
    else this.#ofCallers.delete(caller);
  }
}
