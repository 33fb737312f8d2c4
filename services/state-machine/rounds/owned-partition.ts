// A partition that this process works on, from one takeover to the next, and one step of that work.

import type { PerOutput } from "../../../schemas/outputs.ts";
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";
import type { Acknowledged, OutMessage } from "../../common/kafka/write/publisher.ts";
import type { Tenure } from "../../common/partitions/tenure.ts";
import type { TraceSpan } from "../../common/tracing/tracing.ts";
import type { Save } from "../store/live-store.ts";
import type { Owner } from "../store/partition-claims.ts";
import type { PublishedOutputs } from "../take-over/published-outputs.ts";
import type { TakenOver } from "../take-over/taken-over.ts";
import { ExpiryWatch } from "./expire.ts";
import { MissingGeofences } from "./missing-geofences.ts";
import { PartitionFold } from "./partition-fold.ts";
import { RoundTraces } from "./round-traces.ts";
import { RoundsUnderWay } from "./rounds-under-way.ts";
import { SavedProgress } from "./saved-progress.ts";

export interface FoldedRound {
  readonly owned: OwnedPartition;
  readonly messages: readonly OutMessage[];
  /** Undefined when the round has only the first outputs of a message: its state belongs to no position. */
  readonly save: Omit<Save, "owner" | "expected" | "ends"> | undefined;
  /** Undefined when none of its messages is traced. */
  readonly span: TraceSpan | undefined;
}

export class OwnedPartition {
  readonly partition: number;
  /** The owner's name in Redis, new for each takeover. */
  readonly owner: Owner;
  /** Over when nothing more may be written. */
  readonly tenure: Tenure;
  /** Outputs that the topics had at the takeover. */
  readonly written: PublishedOutputs;
  readonly fold: PartitionFold;
  readonly expiry: ExpiryWatch;
  readonly geofences = new MissingGeofences();
  readonly progress: SavedProgress;
  readonly rounds = new RoundsUnderWay();
  readonly traces = new RoundTraces();
  /** True when the log was being filled with copies at the takeover. It may be open by now. */
  readonly wasBeingFilled: boolean;
  readonly #tail: number;
  #hasWritten = false;
  #isCopied: boolean;

  /** `next` is the first offset that the reader delivers. */
  constructor(taken: TakenOver, next: number, tenure: Tenure, elapsed: () => number) {
    this.partition = taken.partition;
    this.owner = taken.owner;
    this.tenure = tenure;
    this.written = taken.written;
    this.fold = new PartitionFold(taken.state, next);
    this.expiry = new ExpiryWatch(this.fold, elapsed);
    this.progress = new SavedProgress(taken);
    this.#tail = taken.tail;
    this.wasBeingFilled = taken.isBeingFilled;
    this.#isCopied = taken.isBeingFilled;
  }

  get canFold(): boolean {
    return !this.tenure.isOver && this.rounds.allowsNext;
  }

  /** @returns true when the reader may hand out the next messages. */
  get isReady(): boolean {
    return this.canFold && this.fold.isDone;
  }

  /**
   * True when the fold has passed the end that the log had at the takeover. Before it the log may hold messages that an
   * earlier owner wrote.
   */
  get isPastTail(): boolean {
    return this.fold.next >= this.#tail;
  }

  /**
   * True while the newest message is a copy: the state machine of the namespace that is copied from still works, and it
   * writes the ends of tracks and the missing geofences.
   */
  get isCopied(): boolean {
    return this.#isCopied;
  }

  /** Must be called with each message that is folded. */
  folding(isCopy: boolean): void {
    this.#isCopied = isCopy;
  }

  /** True when outputs of this takeover have been written: their partitions had leaders a moment ago. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  take(batch: TakenBatch): void {
    this.fold.take(batch);
    const newest = batch.messages.at(-1);
    if (newest !== undefined) this.expiry.clock.observed(Number(newest.timestamp));
  }

  /** Must be called when the log has the messages of a round; `topics` are the names on the broker. */
  sent(positions: readonly Acknowledged[], topics: PerOutput<string>): void {
    if (positions.length === 0) return;
    this.tenure.succeeded();
    this.#hasWritten = true;
    this.progress.sent(positions, topics);
  }

  markLost(reason: string): void {
    this.tenure.markLost(reason);
  }
}
