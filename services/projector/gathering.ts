// Gathers messages into flushes: ClickHouse prefers few and large inserts.
import type { GroupReader, TakenBatch } from "../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../common/kafka/read/inboxes.ts";
import { createFlush, type Flush, isFull, type ProjectOptions, projectBatch } from "./project-batch.ts";

export interface GatheringOptions {
  readonly reader: Pick<GroupReader, "next">;
  readonly project: ProjectOptions;
  readonly flushMs: number;
  /** Ends the gathering; `next` then resolves with the messages so far. */
  readonly signal: AbortSignal;
}

const IDLE_MS = 500;

export function createGathering({ reader, project, flushMs, signal }: GatheringOptions) {
  /**
   * Batches from the reader that are not completely in a flush. `start` counts the messages of the first batch that are
   * in one.
   */
  let waiting: TakenBatch[] = [];
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
    /**
     * Waits for messages, then for at most `flushMs` for more. Resolves with the flush. After a rebalance the gathered
     * messages are dropped, and the new assignment is returned instead.
     */
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
