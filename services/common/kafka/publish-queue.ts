// Messages that wait to be sent: the only place of a publisher where memory could grow.
import type { Entry } from "./publish-calls.ts";

export interface PublishQueueOptions {
  readonly maxBatchBytes: number;
  readonly maxQueueBytes: number;
  readonly maxQueueMs?: number;
  readonly timeoutMs: number;
}

export function createPublishQueue({ maxBatchBytes, maxQueueBytes, maxQueueMs, timeoutMs }: PublishQueueOptions) {
  let entries: Entry[] = [];
  let bytes = 0;

  /** What is on its way already does not count: a slow answer delays its own callers only. */
  function isStuck(): boolean {
    const [oldest] = entries;
    if (oldest === undefined || maxQueueMs === undefined) return false;
    const queuedAt = oldest.call.deadline - timeoutMs;
    return Date.now() - queuedAt > maxQueueMs;
  }

  return {
    isEmpty: (): boolean => entries.length === 0,
    fillsBatch: (): boolean => bytes >= maxBatchBytes,
    hasRoom: (more: number): boolean => bytes + more <= maxQueueBytes && !isStuck(),

    push(entry: Entry): void {
      entries.push(entry);
      bytes += entry.bytes;
    },

    /** The oldest, as many as one request may hold. */
    takeBatch(): Entry[] {
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
