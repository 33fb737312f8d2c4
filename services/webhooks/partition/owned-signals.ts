// A partition of the signals while this process owns it.
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../../common/kafka/read/inboxes.ts";
import type { Tenure } from "../../common/partitions/tenure.ts";
import type { Arrived } from "../queue/accept.ts";
import type { Queue } from "../queue/queue.ts";
import type { Finished } from "./arrivals.ts";
import type { DeferredBatch } from "./deferred-batch.ts";
import type { DeliveryLanes } from "./delivery-lanes.ts";

interface SignalsBeginning {
  readonly id: PartitionId;
  readonly tenure: Tenure;
  readonly queue: Queue;
  readonly lanes: DeliveryLanes;
  /** Offset of the first signal that is not in a queue. */
  readonly next: number;
  readonly logIds: ReadonlyMap<string, string>;
  readonly finished: Finished | undefined;
}

export class OwnedSignals {
  readonly id: PartitionId;
  readonly tenure: Tenure;
  readonly queue: Queue;
  readonly lanes: DeliveryLanes;
  readonly logIds: ReadonlyMap<string, string>;
  #next: number;
  #finished: Finished | undefined;
  #deferred: DeferredBatch | undefined;

  constructor({ id, tenure, queue, lanes, next, logIds, finished }: SignalsBeginning) {
    this.id = id;
    this.tenure = tenure;
    this.queue = queue;
    this.lanes = lanes;
    this.logIds = logIds;
    this.#next = next;
    this.#finished = finished;
  }

  /** Offset before which every signal is in a queue. */
  get next(): number {
    return this.#next;
  }

  /** Set while signals are read again that may have been delivered before Redis lost its data. */
  get finished(): Finished | undefined {
    return this.#finished;
  }

  /** False while a batch is deferred: no later batch of the partition may be taken before it. */
  get isReady(): boolean {
    return !this.tenure.isOver && this.#deferred === undefined;
  }

  /** @returns the deferred batch when its time has come. */
  due(nowMs: number): TakenBatch | undefined {
    const { batch, until } = this.#deferred ?? {};
    return until !== undefined && until <= nowMs ? batch : undefined;
  }

  defer(batch: DeferredBatch): DeferredBatch {
    this.#deferred = batch;
    return batch;
  }

  /** Returns the deferred batch and forgets it. */
  resume(): DeferredBatch | undefined {
    const deferred = this.#deferred;
    this.#deferred = undefined;
    return deferred;
  }

  /** Puts the signals before the offset `to` into the queues, and wakes their lanes. Rejects with NotOwner. */
  async accept(signals: readonly Arrived[], to: number): Promise<void> {
    await this.queue.accept({ from: this.#next, to, now: Date.now(), signals });
    this.#next = to;
    for (const id of new Set(signals.map(({ queueId }) => queueId))) this.lanes.wake(id);
    this.lanes.drain();
  }

  /** Must be called when the log was read to its end: signals that arrive later cannot have been delivered before. */
  reachedEnd(): void {
    this.#finished = undefined;
  }
}
