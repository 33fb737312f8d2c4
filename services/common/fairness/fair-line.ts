/**
 * Things that wait, taken in turns: one of each caller, then the next one of each. Those of one caller keep their
 * order. So a caller with one thing waits for one of every other caller, however many the others have. A rank, which is
 * never negative, may put some callers before others.
 */
export class FairLine<T> {
  /** The things of each caller, the caller with the next turn first. */
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  countOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  push(caller: string, item: T): void {
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, [item]);
    else own.push(item);
    this.#size += 1;
  }

  /**
   * Takes the first thing of the caller with the lowest rank, of several the one with the next turn. A caller whose
   * rank is undefined may not have a turn. By default all have the same rank.
   * @returns undefined when there is none.
   */
  shift(rankOf: (caller: string) => number | undefined = () => 0): T | undefined {
    let lowest: { readonly caller: string; readonly rank: number } | undefined;
    for (const caller of this.#waiting.keys()) {
      const rank = rankOf(caller);
      if (rank === undefined || (lowest !== undefined && rank >= lowest.rank)) continue;
      lowest = { caller, rank };
      // No rank is lower.
      if (rank === 0) break;
    }
    return lowest && this.#take(lowest.caller);
  }

  #take(caller: string): T | undefined {
    const own = this.#waiting.get(caller);
    // The caller goes to the end of the line.
    this.#waiting.delete(caller);
    if (own !== undefined && own.length > 1) this.#waiting.set(caller, own);
    this.#size -= 1;
    return own?.shift();
  }

  /** Removes a thing that need not wait any longer; the caller keeps its place in the line. */
  remove(caller: string, item: T): void {
    const own = this.#waiting.get(caller);
    const index = own?.indexOf(item) ?? -1;
    if (own === undefined || index < 0) return;
    own.splice(index, 1);
    this.#size -= 1;
    if (own.length === 0) this.#waiting.delete(caller);
  }
}
