import type { ReplayProgress } from "../../projections/replay/session.ts";
import type { ReachedStep } from "../recorded/steps.ts";

/** The progress of one run. It folds from the beginning, and skips what the run before it has finished. */
export class RunProgress {
  readonly #before: ReplayProgress;
  #done: Pick<ReplayProgress, "signals" | "sent" | "deliveries" | "steps">;
  #errors: Pick<ReplayProgress, "errors" | "lastError">;
  #place: Pick<ReplayProgress, "share" | "position">;
  /** Signals that were finished when the last step began. */
  #signalsBefore = 0;

  constructor(before: ReplayProgress) {
    const { sent, deliveries, errors, lastError, share, position } = before;
    this.#before = before;
    this.#done = { signals: 0, sent, deliveries, steps: 0 };
    this.#errors = { errors, lastError };
    this.#place = { share, position };
  }

  /** The position of the previous run is kept until this run has passed it. */
  get all(): ReplayProgress {
    const { signals, steps } = this.#done;
    const most = { signals: Math.max(signals, this.#before.signals), steps: Math.max(steps, this.#before.steps) };
    return { ...this.#done, ...most, ...this.#errors, ...this.#place };
  }

  /** Steps of this run. */
  get steps(): number {
    return this.#done.steps;
  }

  stepped(): void {
    this.#signalsBefore = this.#done.signals;
    this.#done = { ...this.#done, steps: this.#done.steps + 1 };
  }

  /**
   * Takes the last step back when none of its signals was finished.
   * @returns false when it stays.
   */
  unstepped(): boolean {
    const { steps, signals } = this.#done;
    if (steps === 0 || signals > this.#signalsBefore) return false;
    this.#done = { ...this.#done, steps: steps - 1 };
    return true;
  }

  reached({ share, partition, offset, signals }: ReachedStep): void {
    if (this.#done.steps < this.#before.steps) return;
    const timestamp = signals.at(-1)?.timestamp ?? this.#place.position?.timestamp ?? null;
    this.#place = { share, position: { partition, offset, timestamp } };
  }

  /** @returns true when the run before this one has finished these signals; they are counted then. */
  skips(count: number): boolean {
    const { signals } = this.#done;
    if (signals >= this.#before.signals) return false;
    this.#done = { ...this.#done, signals: signals + count };
    return true;
  }

  /** `isTaken` is false when the delivery was given up. */
  delivered(count: number, isTaken: boolean): void {
    const { signals, sent, deliveries, steps } = this.#done;
    const taken = isTaken ? { sent: sent + count, deliveries: deliveries + 1 } : { sent, deliveries };
    this.#done = { steps, signals: signals + count, ...taken };
  }

  /** Must be called for signals of a session without a receiver. */
  made(count: number): void {
    this.#done = { ...this.#done, signals: this.#done.signals + count };
  }

  failed(error: string): void {
    this.#errors = { errors: this.#errors.errors + 1, lastError: error };
  }
}
