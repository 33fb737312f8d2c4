// The pace of a reader's fetches. Messages gather between two fetches of a reader that keeps up: the first one after a
// pause is read at once, and only those within `gatherMs` after an answer wait for each other. When many come they wait
// longer, up to `maxGatherMs`: what a reader does once for a fetch, or for each track of a fetch, then serves more of
// them. While the log is silent, the broker waits ever longer with its answer.
import { pause } from "../../loop.ts";
import type { ConsumerPace } from "../internals/paced-fetches.ts";

export interface FetchPaceOptions {
  readonly gatherMs: number;
  readonly maxGatherMs: number;
  /** Returns the milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Returns whether every assigned partition is read: one that is resumed is read only after the current fetch. */
  readonly areAllOpen: () => boolean;
}

/** One partition's part of an answer. */
interface FetchedPart {
  /** Offset that follows its messages. */
  readonly next: number;
  readonly highWatermark: number;
  readonly bytes: number;
}

/** The number of bytes in a millisecond for which messages gather for `gatherMs`; for twice as many, twice as long. */
const BYTES_PER_MS = 1_000;
/** Cameras may send their frames at the same moment, some 40 ms apart: the rate is that of several frames. */
const MEASURED_MS = 200;

export class FetchPace implements ConsumerPace {
  readonly #options: FetchPaceOptions;
  #receivedAt = Number.NEGATIVE_INFINITY;
  /** The last time at which an answer had messages, or a partition was not read. */
  #busyAt: number;
  /** True when the log had more than the last answer contained: a pause would only add to the lag. */
  #isBehind = false;
  #bytes = 0;
  #countedSince: number;
  #bytesPerMs = 0;

  constructor(options: FetchPaceOptions) {
    this.#options = options;
    this.#countedSince = options.elapsed();
    this.#busyAt = options.elapsed();
  }

  /** Must be called for each partition of an answer. */
  received({ next, highWatermark, bytes }: FetchedPart): void {
    this.#receivedAt = this.#options.elapsed();
    this.#bytes += bytes;
    this.#busyAt = this.#receivedAt;
    if (next < highWatermark) this.#isBehind = true;
  }

  /** Must be called once for each fetch. Returns the milliseconds that it must wait. */
  takeRestMs(): number {
    const now = this.#options.elapsed();
    const isBehind = this.#isBehind;
    this.#isBehind = false;
    this.#measure(now);
    return isBehind ? 0 : Math.max(0, this.#receivedAt + this.#gatherMs() - now);
  }

  /** Returns undefined when the fetch may be sent at once. */
  readonly beforeFetch = (): Promise<void> | undefined => {
    const restMs = this.takeRestMs();
    return restMs === 0 ? undefined : pause(restMs);
  };

  #gatherMs(): number {
    const { gatherMs, maxGatherMs } = this.#options;
    return Math.max(gatherMs, Math.min(maxGatherMs, (gatherMs * this.#bytesPerMs) / BYTES_PER_MS));
  }

  #measure(now: number): void {
    const countedMs = now - this.#countedSince;
    if (countedMs < MEASURED_MS) return;
    this.#bytesPerMs = this.#bytes / countedMs;
    this.#bytes = 0;
    this.#countedSince = now;
  }

  /** After a silence the broker may wait as long as the silence has lasted: a message ends the wait at once. */
  readonly patienceMs = (): number => {
    const now = this.#options.elapsed();
    if (!this.#options.areAllOpen()) this.#busyAt = now;
    return now - this.#busyAt;
  };
}
