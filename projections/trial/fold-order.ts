// The order in which live state folds the detections of a track when it holds them for a time (REORDER_MS).
import type { Detection } from "../../schemas/events.ts";

/** A detection of a track, or its explicit end. */
export interface LogEntry {
  /** Event time, ms. */
  readonly time: number;
  readonly offset: number;
  /** Null in an explicit end. */
  readonly detection: Detection | null;
}

/**
 * Puts entries from the order of the log into the order in which they are folded. With `reorderMs`, an entry is folded
 * when the clock is that far ahead of it. The clock follows this track alone, while that of live state follows all
 * tracks of the data source.
 */
export function foldOrder(entries: readonly LogEntry[], reorderMs: number): readonly LogEntry[] {
  if (reorderMs === 0 || isAscending(entries)) return entries;
  const order: LogEntry[] = [];
  const held = createHeld(entries);
  const release = (until: number) => {
    for (let next = held.first(); next !== undefined && next.time <= until; next = held.first()) {
      order.push(next);
      held.removeFirst();
    }
  };
  for (const [i, { time, offset, detection }] of entries.entries()) {
    held.add(i);
    if (detection !== null && entries[i + 1]?.offset !== offset) release(time - reorderMs);
  }
  release(Number.POSITIVE_INFINITY);
  return order;
}

const isAscending = (entries: readonly LogEntry[]): boolean =>
  entries.every(({ time }, i) => time >= (entries[i - 1]?.time ?? time));

/** A heap, because entries of a hostile sender may wait in any number and order. */
function createHeld(entries: readonly LogEntry[]) {
  /** Indexes of entries. */
  const heap: number[] = [];
  const timeOf = (i: number) => entries[i]?.time ?? 0;
  const isBefore = (a: number, b: number) => timeOf(a) < timeOf(b) || (timeOf(a) === timeOf(b) && a < b);

  function swap(a: number, b: number): void {
    [heap[a], heap[b]] = [heap[b] ?? 0, heap[a] ?? 0];
  }

  function least(place: number): number {
    let smallest = place;
    for (const child of [2 * place + 1, 2 * place + 2]) {
      if (child < heap.length && isBefore(heap[child] ?? 0, heap[smallest] ?? 0)) smallest = child;
    }
    return smallest;
  }

  return {
    first: (): LogEntry | undefined => entries[heap[0] ?? Number.NaN],

    add(i: number): void {
      let place = heap.push(i) - 1;
      for (let above = (place - 1) >> 1; place > 0 && isBefore(i, heap[above] ?? 0); above = (place - 1) >> 1) {
        swap(place, above);
        place = above;
      }
    },

    removeFirst(): void {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      heap[0] = last;
      for (let place = 0, next = least(0); next !== place; next = least(place)) {
        swap(place, next);
        place = next;
      }
    },
  };
}
