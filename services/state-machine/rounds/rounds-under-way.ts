// The rounds of one partition that are folded and not written yet. They are written in order.

/** One round is under way to Kafka and Redis while the next is folded. */
const MOST_ROUNDS = 2;

export class RoundsUnderWay {
  #count = 0;
  #isFrozen = false;
  #last: Promise<void> = Promise.resolve();

  /** @returns false also while everything is being written directly from the state, which must not change meanwhile. */
  get allowsNext(): boolean {
    return !this.#isFrozen && this.#count < MOST_ROUNDS;
  }

  /** Resolves when all rounds so far are written. Never rejects. */
  get written(): Promise<void> {
    return this.#last;
  }

  /** Resolves when the round is written. `write` must not reject. */
  add(write: () => Promise<void>, isWhole: boolean): Promise<void> {
    this.#count += 1;
    if (isWhole) this.#isFrozen = true;
    this.#last = this.#last.then(write).then(() => {
      this.#count -= 1;
      if (isWhole) this.#isFrozen = false;
    });
    return this.#last;
  }
}
