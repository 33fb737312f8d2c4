// Lets messages gather between two fetches of a reader that keeps up. The first message after a pause is read at once;
// only the messages within `gatherMs` after an answer wait for each other.
import { pause } from "../../loop.ts";

export interface FetchPaceOptions {
  readonly gatherMs: number;
  /** Returns the milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
}

export class FetchPace {
  readonly #options: FetchPaceOptions;
  #receivedAt = Number.NEGATIVE_INFINITY;
  /** True when the log had more than the last answer contained: a pause would only add to the lag. */
  #isBehind = false;

  constructor(options: FetchPaceOptions) {
    this.#options = options;
  }

  /** Must be called for each partition of an answer; `next` is the offset that follows its messages. */
  received(next: number, highWatermark: number): void {
    this.#receivedAt = this.#options.elapsed();
    if (next < highWatermark) this.#isBehind = true;
  }

  /** Must be called once for each fetch. Returns the milliseconds that it must wait. */
  takeRestMs(): number {
    const { gatherMs, elapsed } = this.#options;
    const isBehind = this.#isBehind;
    this.#isBehind = false;
    return isBehind ? 0 : Math.max(0, this.#receivedAt + gatherMs - elapsed());
  }

  /** Returns undefined when the fetch may be sent at once. */
  readonly beforeFetch = (): Promise<void> | undefined => {
    const restMs = this.takeRestMs();
    return restMs === 0 ? undefined : pause(restMs);
  };
}
