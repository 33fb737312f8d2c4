// The changes of the areas of geofences, in the order of their offsets in the catalog.

export interface GeofenceChange {
  readonly offset: number;
  /** Broker time of the change, ms. */
  readonly recordedAt: number;
  readonly id: string;
}

/** @returns the offset of the last of the first `count` changes; -1 when there is none. */
export const offsetOfLast = (changes: readonly GeofenceChange[], count: number): number =>
  changes[count - 1]?.offset ?? -1;

/** Returns the sorted ids of the geofences with a change at an offset above `after` and not above `upTo`. */
export function idsBetween(changes: readonly GeofenceChange[], after: number, upTo: number): string[] {
  const ids = new Set(changes.slice(countUpTo(changes, after), countUpTo(changes, upTo)).map(({ id }) => id));
  return [...ids].sort();
}

/** Returns the number of changes at offsets up to `upTo`, inclusive. */
export function countUpTo(changes: readonly GeofenceChange[], upTo: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle]?.offset ?? 0) <= upTo) low = middle + 1;
    else high = middle;
  }
  return low;
}
