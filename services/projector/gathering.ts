// Gathers messages into flushes: ClickHouse prefers few and large inserts.
import type { GroupReader, TakenBatch } from "../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../common/kafka/read/inboxes.ts";
import { createFlush, type Flush, isFull, type ProjectOptions, projectBatch, sizeOf } from "./project-batch.ts";

export interface GatheringOptions {
  readonly reader: Pick<GroupReader, "next">;
  readonly project: ProjectOptions;
  readonly flushMs: number;
  /** Milliseconds of `flushMs` for which the first messages of a flush may have waited for the reader. */
  readonly readMs?: number;
  /** A flush waits no longer than this, however many rows arrive. */
  readonly maxFlushMs: number;
  /** Ends the gathering; `next` then resolves with the messages so far. */
  readonly signal: AbortSignal;
}

const IDLE_MS = 500;

/** A flush of at most so many rows does not wait for more. */
const FEW_ROWS = 1_000;

/**
 * Returns the milliseconds that a flush waits in all, from the rows that it has after `flushMs`. Each flush makes parts
 * of several tables, which are merged later, so a stream of many rows is cheaper in larger flushes.
 */
const waitMs = (rows: number, flushMs: number, maxFlushMs: number): number =>
  Math.max(flushMs, Math.min(maxFlushMs, (flushMs * rows) / FEW_ROWS));

export function createGathering(options: GatheringOptions) {
  const { reader, project, flushMs, readMs = 0, maxFlushMs, signal } = options;
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
     * Waits for messages, then for `flushMs` for more, and longer when they are many. Resolves with the flush. After a
     * rebalance the gathered messages are dropped, and the new assignment is returned instead.
     */
    async next(): Promise<Flush | { readonly assigned: readonly PartitionId[] }> {
      const flush = createFlush();
      let begun: number | undefined;
      let forMs = flushMs;
      while (!signal.aborted && !isFull(flush, project.maxRows)) {
        fill(flush);
        if (waiting.length > 0) break;
        if (flush.stretches.size > 0) begun ??= performance.now() - readMs;
        let leftMs = begun === undefined ? IDLE_MS : begun + forMs - performance.now();
        if (leftMs <= 0 && forMs === flushMs) {
          forMs = waitMs(sizeOf(flush), flushMs, maxFlushMs);
          leftMs += forMs - flushMs;
        }
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
