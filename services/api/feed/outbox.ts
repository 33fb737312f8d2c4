// The queue of a receiver that is behind. It is bounded. Of several items under one merge key it keeps only the newest,
// at the end of the queue: the cursors that the receiver sees must not go back.

export interface Waiting {
  /** undefined = the item must not be dropped. */
  readonly mergeKey: string | undefined;
  readonly bytes: number;
}

export interface Outbox<T extends Waiting> {
  /** False = there is no room, and the item was not taken. */
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
      if (place !== undefined && older !== undefined) take(place, older);
      // A lone item always fits: it may be larger than the bound.
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
