// Drops the batches without anything from the answer to a fetch. The broker answers for each partition that was
// requested, and kafkajs creates a promise, computes lags and checks the heartbeat for each of them, even when one
// partition of many has a message.
import { createRequire } from "node:module";

/** The members of kafkajs' batch that are needed. */
interface FetchedBatch {
  isEmpty(): boolean;
  /** True when the batch has records, and none of them is for readers: kafkajs continues after them. */
  isEmptyDueToFiltering(): boolean;
}

/** The members of kafkajs' runner that matter here. */
interface Runner {
  fetch(nodeId: number): Promise<FetchedBatch[]>;
  heartbeat(): Promise<void>;
}

const require = createRequire(import.meta.url);

/** Takes effect for the whole process; must be called once. */
export function useFilledBatches(): void {
  const { prototype }: { readonly prototype: Runner } = require("kafkajs/src/consumer/runner.js");
  const { fetch } = prototype;
  prototype.fetch = async function (this: Runner, nodeId) {
    const batches = await fetch.call(this, nodeId);
    const filled = batches.filter((batch) => !batch.isEmpty() || batch.isEmptyDueToFiltering());
    // kafkajs sends heartbeats with batches, and for an answer without any.
    if (filled.length === 0 && batches.length > 0) await this.heartbeat();
    return filled;
  };
}
