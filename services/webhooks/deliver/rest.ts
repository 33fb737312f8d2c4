// Lets a lane wait for a time, for a signal or for a change of its subscription.
import { pause } from "../../common/loop.ts";

export class LaneRest {
  readonly #signal: AbortSignal;
  #waking: AbortController | undefined;
  #isUntilArrival = false;
  #hasArrived = false;
  #hasChanged = false;

  /** When the signal aborts, every wait ends at once. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** True when a signal of the queue has arrived, or its subscription has changed, since the last `forget`. */
  get hasArrived(): boolean {
    return this.#hasArrived;
  }

  /**
   * Must be called before the lane reads the queue and the subscription, so that no later arrival or change is missed.
   */
  forget(): void {
    this.#hasArrived = false;
    this.#hasChanged = false;
  }

  arrive(): void {
    this.#hasArrived = true;
    if (this.#isUntilArrival) this.#waking?.abort();
  }

  change(): void {
    this.#hasArrived = true;
    this.#hasChanged = true;
    this.#waking?.abort();
  }

  async untilChange(ms: number): Promise<void> {
    if (!this.#hasChanged) await this.#wait(ms, false);
  }

  async untilArrival(ms: number): Promise<void> {
    if (!this.#hasArrived) await this.#wait(ms, true);
  }

  async #wait(ms: number, isUntilArrival: boolean): Promise<void> {
    this.#waking = new AbortController();
    this.#isUntilArrival = isUntilArrival;
    await pause(Math.max(ms, 1), AbortSignal.any([this.#signal, this.#waking.signal]));
    this.#waking = undefined;
  }
}
