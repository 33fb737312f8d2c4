// The partitions of a topic that this process may write for. The state machine and webhooks own partitions in this way.
//
// Assigned. The group gives each partition to one process. Another process may have worked on a partition meanwhile, so
// this one lets go of every partition, unless the service can show that it is still the owner (`goesOn`), and takes
// over those in the assignment (`assign`).
//
// Claimed. The service writes a token, new for each takeover, into the partition's position in the store, finds the
// position at which the work continues, and begins to read there (`takeOver`). Its tenure begins.
//
// Fenced. The store refuses a write under an older token (NotOwner), in the step that would write. So an owner that
// hangs and wakes up changes nothing.
//
// Lost. A refused write, or one whose result is unknown, ends the tenure (`Tenure.markLost`). While the group still
// gives the partition to this process, it is taken over again, with growing pauses; the others continue
// (`reclaimLost`).
//
// Released. The next assignment, or the stop of the process, ends a tenure: nothing new begins, and what is under way
// may finish. The service may limit the time for that (`release`). After a kill -9 the group notices the silence.
import type { GroupReader } from "../kafka/read/group-reader.ts";
import type { Patience } from "../patiently.ts";
import { lostPartitions, ownedPartitions } from "./metrics.ts";
import { Tenure } from "./tenure.ts";

/** The time from one assignment by the group to the next. */
export interface Assignment<T> {
  /** Its signal aborts at the next assignment, and when the process stops. */
  readonly patience: Patience;
  beginTenure(partition: number): Tenure;
  /** From here on other code sees the partition as owned: its position must be in the store, or at the reader. */
  own(partition: number, owned: T): void;
}

export interface OwnedPartitionsOptions<T> {
  readonly topic: string;
  readonly reader: Pick<GroupReader, "owns" | "wake">;
  /** Takes over the partitions, except those that cannot begin yet. A later assignment has those again. */
  readonly takeOver: (partitions: readonly number[], assignment: Assignment<T>) => Promise<void>;
  /** Resolves with true when this process is still the owner, and its work continues as it is. */
  readonly goesOn?: (owned: T) => Promise<boolean>;
  /**
   * Called when a tenure ends. `ended` resolves when the work under way is done. The implementation waits for `ended`,
   * which it may hasten, and then lets the next owner begin. It must not reject.
   */
  readonly release: (owned: T, ended: Promise<void>) => Promise<void>;
  readonly patience: Patience;
  readonly onFailure: (error: unknown) => void;
}

export class OwnedPartitions<T extends { readonly tenure: Tenure }> {
  readonly #options: OwnedPartitionsOptions<T>;
  readonly #owned = new Map<number, T>();
  readonly #endings = new Set<Promise<void>>();
  /** Losses in a row of each partition that is being taken over again. */
  readonly #losses = new Map<number, number>();
  #assignment = new AbortController();
  #takingAgain: Promise<void> | undefined;
  readonly #endObserving: () => void;

  constructor(options: OwnedPartitionsOptions<T>) {
    this.#options = options;
    this.#endObserving = ownedPartitions.observe(() => [[{ topic: options.topic }, this.#owned.size]]);
  }

  get(partition: number): T | undefined {
    return this.#owned.get(partition);
  }

  all(): T[] {
    return [...this.#owned.values()];
  }

  async assign(partitions: readonly number[]): Promise<void> {
    await this.#endAssignment();
    for (const partition of this.#owned.keys()) if (!partitions.includes(partition)) void this.#letGo(partition);
    const others: number[] = [];
    for (const partition of partitions) if (!(await this.#goesOn(partition))) others.push(partition);
    this.#losses.clear();
    await this.#take(others);
  }

  /** Begins to take lost partitions over again, and does not wait for it. */
  reclaimLost(): void {
    if (this.#takingAgain !== undefined) return;
    const nowMs = performance.now();
    const { topic, reader } = this.#options;
    const isDue = ([partition, { tenure }]: [number, T]) => tenure.isDue(nowMs) && reader.owns({ topic, partition });
    const due = [...this.#owned].filter(isDue).map(([partition]) => partition);
    if (due.length > 0) this.#takingAgain = this.#takeAgain(due);
  }

  /** Resolves when the work of all tenures that have ended is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#endings);
  }

  /** Lets go of all partitions. */
  async end(): Promise<void> {
    this.#endObserving();
    const ending = this.#endAssignment();
    this.#letGoOfAll();
    await ending;
    // A takeover that was under way may have ended meanwhile, and added its partitions.
    this.#letGoOfAll();
    await this.settled();
  }

  async #endAssignment(): Promise<void> {
    this.#assignment.abort();
    await this.#takingAgain;
    this.#assignment = new AbortController();
  }

  async #goesOn(partition: number): Promise<boolean> {
    const owned = this.#owned.get(partition);
    const { goesOn } = this.#options;
    return owned !== undefined && goesOn !== undefined && !owned.tenure.isOver && (await goesOn(owned));
  }

  async #takeAgain(partitions: readonly number[]): Promise<void> {
    const { signal } = this.#assignment;
    try {
      await this.#take(partitions);
    } catch (error) {
      if (!signal.aborted) this.#options.onFailure(error);
    } finally {
      this.#takingAgain = undefined;
      this.#options.reader.wake();
    }
  }

  async #take(partitions: readonly number[]): Promise<void> {
    const { topic, patience, reader, onFailure, takeOver } = this.#options;
    const signal = AbortSignal.any([this.#assignment.signal, patience.signal]);
    const beginTenure = (partition: number): Tenure => {
      const onLost = (reason: string) => {
        patience.log.warn({ topic, partition, reason }, "partition lost, it is taken over again");
        lostPartitions.inc({ topic });
        reader.wake();
      };
      return new Tenure({ losses: this.#losses.get(partition) ?? 0, onLost, onFailure });
    };
    const own = (partition: number, owned: T) => void this.#owned.set(partition, owned);
    await Promise.all(partitions.map((partition) => this.#letGo(partition)));
    if (partitions.length === 0 || signal.aborted) return;
    await takeOver(partitions, { patience: { log: patience.log, signal }, beginTenure, own });
  }

  #letGoOfAll(): void {
    for (const partition of this.#owned.keys()) void this.#letGo(partition);
  }

  #letGo(partition: number): Promise<void> {
    const owned = this.#owned.get(partition);
    if (owned === undefined) return Promise.resolve();
    this.#owned.delete(partition);
    this.#losses.set(partition, owned.tenure.losses);
    const released = this.#options.release(owned, owned.tenure.end());
    const ending: Promise<void> = released.finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
    return ending;
  }
}
