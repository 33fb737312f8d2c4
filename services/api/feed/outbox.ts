// The bounded queue of a receiver that is slower than its messages. Among several items with one merge key it keeps
// only the newest, at the end of the queue: the cursors that the receiver sees must not go back.
import { mergedMessages } from "./metrics.ts";

export interface Waiting {
  /** Undefined when the item must not be dropped. */
  readonly mergeKey: string | undefined;
  readonly bytes: number;
}

export interface Outbox<T extends Waiting> {
  /** @returns false when the queue is full; the item was then not added. */
  push(item: T): boolean;
  shift(): T | undefined;
  readonly size: number;
  clear(): void;
}

export interface OutboxLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
}

export function createOutbox<T extends Waiting>({ maxMessages, maxBytes }: OutboxLimits): Outbox<T> {
  // A Map keeps the order of insertion, and an item in the middle can be removed.
  const items = new Map<number, T>();
  const places = new Map<string, number>();
  let bytes = 0;
  let next = 0;

  function take(place: number, item: T): T {
    items.delete(place);
    bytes -= item.bytes;
    if (item.mergeKey !== undefined) places.delete(item.mergeKey);
    return item;
  }

  return {
    get size() {
      return items.size;
    },

    push(item) {
      const place = item.mergeKey === undefined ? undefined : places.get(item.mergeKey);
      const older = place === undefined ? undefined : items.get(place);
      if (place !== undefined && older !== undefined) {
        take(place, older);
        mergedMessages.inc();
      }
      // An empty queue takes any item, because even an item larger than `maxBytes` must reach the receiver.
      if (items.size > 0 && (items.size >= maxMessages || bytes + item.bytes > maxBytes)) return false;
      if (item.mergeKey !== undefined) places.set(item.mergeKey, next);
      items.set(next, item);
      next += 1;
      bytes += item.bytes;
      return true;
    },

    shift() {
      for (const [place, item] of items) return take(place, item);
      return undefined;
    },

    clear() {
      items.clear();
      places.clear();
      bytes = 0;
    },
  };
}
