/** Counts what each holder has. A holder with nothing takes no memory. */
export class HeldCounts<Holder extends string> {
  readonly #counts = new Map<Holder, number>();
  #all = 0;

  get all(): number {
    return this.#all;
  }

  of(holder: Holder): number {
    return this.#counts.get(holder) ?? 0;
  }

  take(holder: Holder, amount = 1): void {
    this.#all += amount;
    this.#counts.set(holder, this.of(holder) + amount);
  }

  giveBack(holder: Holder, amount = 1): void {
    this.#all -= amount;
    const left = this.of(holder) - amount;
    if (left > 0) this.#counts.set(holder, left);
    else this.#counts.delete(holder);
  }
}
