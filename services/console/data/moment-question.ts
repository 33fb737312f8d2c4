/** Asks about one moment after another. While the moment moves, only the newest one is asked for, and not too often. */
export class MomentQuestion {
  readonly #ask: (moment: number, signal: AbortSignal) => Promise<void>;
  readonly #pauseMs: number;
  readonly #stopped = new AbortController();
  #wanted: number | undefined;
  #asked: number | undefined;
  #isAsking = false;

  /** @param ask keeps the answer, and says when there is none. */
  constructor(ask: (moment: number, signal: AbortSignal) => Promise<void>, pauseMs = 400) {
    this.#ask = ask;
    this.#pauseMs = pauseMs;
  }

  /** After a failure, only another moment asks again: the same question would fail as fast as it can be asked. */
  want(moment: number): void {
    this.#wanted = moment;
    this.#next();
  }

  /** No moment is wanted. The next one is asked for even when it was the last one. */
  forget(): void {
    this.#wanted = undefined;
    this.#asked = undefined;
  }

  stop(): void {
    this.#stopped.abort();
  }

  #next(): void {
    const { signal } = this.#stopped;
    const moment = this.#wanted;
    if (this.#isAsking || moment === undefined || moment === this.#asked || signal.aborted) return;
    this.#isAsking = true;
    this.#asked = moment;
    this.#ask(moment, signal).finally(() =>
      setTimeout(() => {
        this.#isAsking = false;
        this.#next();
      }, this.#pauseMs),
    );
  }
}
