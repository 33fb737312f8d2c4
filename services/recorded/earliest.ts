/** The place of what is read next of one segment, in an order that is the same each time. */
export interface ReadingOrder {
  /** Broker time, ms. */
  readonly recordedAt: number;
  /** Decides between segments of the same time. */
  readonly rank: number;
}

/** Returns the open segment whose next message was recorded first. */
export function earliestOf<Open>(open: readonly Open[], orderOf: (each: Open) => ReadingOrder): Open | undefined {
  let found: Open | undefined;
  let first: ReadingOrder | undefined;
  for (const each of open) {
    const order = orderOf(each);
    const isEarlier = first === undefined || (order.recordedAt - first.recordedAt || order.rank - first.rank) < 0;
    if (!isEarlier) continue;
    found = each;
    first = order;
  }
  return found;
}
