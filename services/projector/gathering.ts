// Gathers messages into flushes: ClickHouse likes few and large inserts.
import type { GroupReader, Taken } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import { createFlush, type Flush, isFull, type ProjectOptions, projectBatch } from "./project-batch.ts";

export interface GatheringOptions {
  readonly reader: Pick<GroupReader, "next">;
  readonly project: ProjectOptions;
  readonly flushMs: number;
  /** Ends the gathering; `next` then resolves with what is gathered. */
  readonly signal: AbortSignal;
}

const IDLE_MS = 500;

export function createGathering({ reader, project, flushMs, signal }: GatheringOptions) {
  /** Batches from the reader that are not wholly in a flush; `start` counts the messages of the first that are. */
  let waiting: Taken[] = [];
  let start = 0;

  function fill(flush: Flush): void {
    while (waiting.length > 0) {
      const [batch] = waiting;
      if (batch === undefined) return;
      start = projectBatch(flush, batch, start, project);
      if (start < batch.messages.length) return;
      waiting.shift();
      start = 0;
    }
  }

  return {
    /** Waits for messages, then for more to join them. A rebalance voids what was gathered, and is returned instead. */
    async next(): Promise<Flush | { readonly assigned: readonly PartitionId[] }> {
      const flush = createFlush();
      let deadline: number | undefined;
      while (!signal.aborted && !isFull(flush, project.maxRows)) {
        fill(flush);
        if (waiting.length > 0) break;
        if (flush.stretches.size > 0) deadline ??= performance.now() + flushMs;
        const leftMs = deadline === undefined ? IDLE_MS : deadline - performance.now();
        if (leftMs <= 0) break;
        const { assigned, batches } = await reader.next(leftMs);
        if (assigned !== undefined) {
          waiting = [];
          start = 0;
          return { assigned };
        }
        waiting.push(...batches);
      }
      return flush;
    },
  };
}
