// Finds out which items of two lists are about the same thing.

export interface PairedUp<T> {
  readonly pairs: readonly (readonly [then: T, now: T])[];
  readonly missing: readonly T[];
  readonly added: readonly T[];
}

export type KeyOf<T> = (item: T) => string;

/**
 * Items with equal keys are pairs, in their order. There is a key for each pass, the strictest first. The items of a
 * pass are those that have found no other one before, so an expensive key is computed for few.
 */
export function pairUp<T>(then: readonly T[], now: readonly T[], passes: readonly KeyOf<T>[]): PairedUp<T> {
  const pairs: (readonly [T, T])[] = [];
  let [left, right] = [then, now];
  for (const keyOf of passes) {
    if (left.length === 0 || right.length === 0) break;
    const waiting = Map.groupBy(left, keyOf);
    right = right.filter((item) => {
      const found = waiting.get(keyOf(item))?.shift();
      if (found !== undefined) pairs.push([found, item]);
      return found === undefined;
    });
    const rest = new Set([...waiting.values()].flat());
    left = left.filter((item) => rest.has(item));
  }
  return { pairs, missing: left, added: right };
}
