/** The longest wait: one mistake of a caller must not lock it out for longer. */
const MAX_DEBT_S = 600;

/**
 * An amount that one caller may spend, filled at a steady pace up to the amount of one second. A caller that spends
 * more than is left goes into debt, and waits until the debt is paid: a batch that is larger than a second's amount is
 * served, too. The debt is bounded. The time is passed in.
 */
export class Allowance {
  readonly #perS: number;
  #left: number;
  #filledAtMs: number;

  constructor(perS: number, nowMs: number) {
    this.#perS = perS;
    this.#left = perS;
    this.#filledAtMs = nowMs;
  }

  /** Returns the milliseconds until something may be spent; 0 when that is now. */
  waitMs(nowMs: number): number {
    this.#fill(nowMs);
    return this.#left > 0 ? 0 : Math.floor((-this.#left / this.#perS) * 1_000) + 1;
  }

  spend(amount: number): void {
    this.#left = Math.max(this.#left - amount, -MAX_DEBT_S * this.#perS);
  }

  /** @returns true when it is as if nothing had ever been spent. */
  isFull(nowMs: number): boolean {
    this.#fill(nowMs);
    return this.#left >= this.#perS;
  }

  #fill(nowMs: number): void {
    // A clock that is set back fills nothing.
    const elapsedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#filledAtMs = nowMs;
    this.#left = Math.min(this.#perS, this.#left + (elapsedMs / 1_000) * this.#perS);
  }
}
