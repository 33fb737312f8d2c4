// Messages of a publisher that wait to be sent.
import type { QueuedMessage } from "./calls.ts";

export interface PublishQueueOptions {
  readonly maxBatchBytes: number;
  readonly maxQueueBytes: number;
  readonly maxQueueMs?: number;
  readonly timeoutMs: number;
}

export type PublishQueue = ReturnType<typeof createPublishQueue>;

/** The queue is limited, because it is the only place of a publisher where memory could grow. */
export function createPublishQueue({ maxBatchBytes, maxQueueBytes, maxQueueMs, timeoutMs }: PublishQueueOptions) {
  let entries: QueuedMessage[] = [];
  let bytes = 0;

  /**
   * @returns true when a queued message has waited for longer than `maxQueueMs`. Messages already under way do not
   * count: a slow answer delays its own callers only.
   */
  function isStuck(): boolean {
    const [oldest] = entries;
    if (oldest === undefined || maxQueueMs === undefined) return false;
    const queuedAt = oldest.call.deadline - timeoutMs;
    return performance.now() - queuedAt > maxQueueMs;
  }

  return {
    isEmpty: (): boolean => entries.length === 0,
    bytes: (): number => bytes,
    fillsBatch: (): boolean => bytes >= maxBatchBytes,
    hasCapacity: (more: number): boolean => bytes + more <= maxQueueBytes && !isStuck(),

    push(entry: QueuedMessage): void {
      entries.push(entry);
      bytes += entry.bytes;
    },

    /** Returns the oldest entries that fit into one request. */
    takeBatch(): QueuedMessage[] {
      let size = 0;
      let count = 0;
      while (count < entries.length) {
        size += entries[count]?.bytes ?? 0;
        if (count > 0 && size > maxBatchBytes) break;
        count += 1;
      }
      const taken = entries.slice(0, count);
      entries = entries.slice(count);
      for (const entry of taken) bytes -= entry.bytes;
      return taken;
    },
  };
}
