import { setImmediate } from "node:timers/promises";
import type { LoadSchemas } from "../../../../schemas/codec.ts";
import { type FetchedPortion, Inbox, type PartitionId, partitionKey } from "./inbox.ts";

export type { PartitionId } from "./inbox.ts";

export interface InboxLimits {
  /** Messages in one inbox. */
  readonly maxMessages: number;
  /** Bytes in all inboxes together. */
  readonly maxBytes: number;
  /**
   * Function `loadSchemas` of the codec. An inbox keeps its messages until it has resolved; the others do not wait.
   * Messages that need too many schemas at once are taken in several batches.
   */
  readonly loadSchemas?: LoadSchemas | undefined;
}

export interface Emptied {
  readonly assigned: readonly PartitionId[] | undefined;
  readonly batches: readonly ReturnType<Inbox["takeReady"]>[];
  /** Partitions that were paused because they were full and are empty now. */
  readonly resumable: readonly PartitionId[];
}

/** @returns false when the messages must stay in the inbox for now. */
export type IsReady = (id: PartitionId) => boolean;

/** Inboxes of the assigned partitions: filled by the consumer's callbacks, emptied whole by one loop. */
export interface Inboxes {
  assign(ids: readonly PartitionId[]): void;
  accepts(id: PartitionId): boolean;
  /** Returns the offset to fetch next; undefined when nothing must be fetched. */
  expected(id: PartitionId): number | undefined;
  /**
   * @returns false when the owner has not received a newer assignment yet; its state of the partition is then no longer
   * valid.
   */
  begin(id: PartitionId, offset: number): boolean;
  /** Returns the partitions to pause. */
  put(id: PartitionId, portion: FetchedPortion): readonly PartitionId[];
  /** Returns the offset that a begun, unpaused partition waits for. */
  starving(id: PartitionId): number | undefined;
  /** Returns whether every assigned partition has begun, and none is paused. */
  readonly areAllOpen: () => boolean;
  /** Returns the offset to fetch next, by partition. */
  reached(): ReadonlyMap<string, number>;
  /** Rejects when schemas cannot be loaded. */
  wait(idleMs: number, isReady?: IsReady): Promise<void>;
  /** Ends a wait. */
  wake(): void;
  take(isReady?: IsReady): Emptied;
  close(): void;
}

export const createInboxes = (limits: InboxLimits): Inboxes => new AssignedInboxes(limits);

const everyone: IsReady = () => true;

class AssignedInboxes implements Inboxes {
  readonly #limits: InboxLimits;
  #inboxes = new Map<string, Inbox>();
  /** The assignment that the owner has not received yet. */
  #assigned: readonly PartitionId[] | undefined;
  #signal = Promise.withResolvers<void>();
  #isClosed = false;
  /** Bytes in all inboxes. */
  #held = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(limits: InboxLimits) {
    this.#limits = limits;
  }

  assign(ids: readonly PartitionId[]): void {
    const deps = {
      loadSchemas: this.#limits.loadSchemas ?? (() => undefined),
      onReady: () => this.wake(),
      onFailure: (error: unknown) => this.#fail(error),
    };
    this.#assigned = ids;
    this.#inboxes = new Map(ids.map((id) => [partitionKey(id), new Inbox(id, deps)]));
    this.#held = 0;
    this.wake();
  }

  accepts(id: PartitionId): boolean {
    return this.expected(id) !== undefined;
  }

  expected(id: PartitionId): number | undefined {
    return this.#get(id)?.next;
  }

  begin(id: PartitionId, offset: number): boolean {
    const inbox = this.#get(id);
    if (inbox === undefined || this.#assigned !== undefined) return false;
    this.#held -= inbox.bytes;
    inbox.begin(offset);
    return true;
  }

  put(id: PartitionId, portion: FetchedPortion): readonly PartitionId[] {
    const inbox = this.#get(id);
    if (inbox?.next === undefined) return [];
    const before = inbox.bytes;
    inbox.put(portion);
    this.#held += inbox.bytes - before;
    if (inbox.hasNews) this.wake();
    return this.#pauseFull();
  }

  starving(id: PartitionId): number | undefined {
    const inbox = this.#get(id);
    return inbox === undefined || inbox.isPaused ? undefined : inbox.next;
  }

  readonly areAllOpen = (): boolean =>
    this.#assigned === undefined &&
    [...this.#inboxes.values()].every(({ next, isPaused }) => next !== undefined && !isPaused);

  reached(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#inboxes, ([key, { next = 0 }]) => [key, next]));
  }

  async wait(idleMs: number, isReady: IsReady = everyone): Promise<void> {
    if (this.#failure !== undefined && !this.#isClosed) throw this.#failure.error;
    const waiting = [...this.#inboxes.values()].some((inbox) => inbox.hasNews && isReady(inbox.id));
    if (this.#isClosed || idleMs <= 0 || this.#assigned !== undefined || waiting) return;
    const timer = setTimeout(() => this.wake(), idleMs);
    await this.#signal.promise;
    clearTimeout(timer);
    // The partitions of one answer arrive one after the other within a turn of the event loop.
    await setImmediate();
    this.#signal = Promise.withResolvers<void>();
  }

  wake(): void {
    this.#signal.resolve();
  }

  take(isReady: IsReady = everyone): Emptied {
    const assigned = this.#assigned;
    this.#assigned = undefined;
    const batches = [];
    const resumable = [];
    for (const inbox of this.#inboxes.values()) {
      if (inbox.next === undefined || !inbox.hasNews || !isReady(inbox.id)) continue;
      const before = inbox.bytes;
      batches.push(inbox.takeReady());
      this.#held += inbox.bytes - before;
      if (inbox.size > 0) continue;
      if (inbox.isPaused) resumable.push(inbox.id);
      inbox.isPaused = false;
    }
    this.#signal = Promise.withResolvers<void>();
    return { assigned, batches, resumable };
  }

  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  #get(id: PartitionId): Inbox | undefined {
    return this.#inboxes.get(partitionKey(id));
  }

  /** An empty inbox is never paused: each partition makes progress, no matter how much the others hold. */
  #pauseFull(): PartitionId[] {
    const { maxBytes, maxMessages } = this.#limits;
    const full = [...this.#inboxes.values()].filter(({ size, isPaused }) => {
      return !isPaused && size > 0 && (this.#held >= maxBytes || size >= maxMessages);
    });
    for (const inbox of full) inbox.isPaused = true;
    return full.map(({ id }) => id);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.wake();
  }
}
