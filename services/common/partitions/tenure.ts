// The time in which this process may write for one partition: from the claim until the partition is lost or let go.
import { messageOf } from "../../../schemas/errors.ts";
import { growing } from "../loop.ts";
import { NotOwner } from "./not-owner.ts";

export interface TenureOptions {
  /** Number of times in a row that the partition was lost before. */
  readonly losses: number;
  readonly onLost: (reason: string) => void;
  /** Called after a failure that a retry cannot mend. */
  readonly onFailure: (error: unknown) => void;
}

/** The first takeover after a loss begins at once: a leader that moves is common. */
const pauseAfter = growing(200, 5_000);

export class Tenure {
  readonly #options: TenureOptions;
  readonly #over = new AbortController();
  readonly #work = new Set<Promise<void>>();
  #losses: number;
  /** Time of the next takeover, by performance.now(); undefined while the partition is not lost. */
  #againAt: number | undefined;

  constructor(options: TenureOptions) {
    this.#options = options;
    this.#losses = options.losses;
  }

  /** Aborts when nothing may be written any more. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Number of losses in a row. */
  get losses(): number {
    return this.#losses;
  }

  /** @returns true when the partition is lost, and the pause before the next takeover is over. */
  isDue(nowMs: number): boolean {
    return this.#againAt !== undefined && this.#againAt <= nowMs;
  }

  /** Must be called after a successful write of the partition: the next loss then counts as the first one. */
  succeeded(): void {
    this.#losses = 0;
  }

  /**
   * Must be called when a store has refused a write of this owner, or when the result of a write is unknown. The
   * partition is then taken over again.
   */
  markLost(reason: string): void {
    if (this.isOver) return;
    this.#againAt = performance.now() + (this.#losses === 0 ? 0 : pauseAfter(this.#losses - 1));
    this.#losses += 1;
    this.#over.abort();
    this.#options.onLost(reason);
  }

  /** Registers work for which `end` waits. When the work rejects with NotOwner, the partition is lost. */
  run(work: Promise<void>): void {
    const tracked: Promise<void> = work
      .catch((error: unknown) => {
        if (error instanceof NotOwner) this.markLost(messageOf(error));
        else if (!this.isOver) this.#options.onFailure(error);
      })
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  /** Resolves when the work under way has ended. The caller must start nothing new. */
  async end(): Promise<void> {
    this.#againAt = undefined;
    this.#over.abort();
    await Promise.all(this.#work);
  }
}
