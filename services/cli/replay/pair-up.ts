// Finds out which of two lists' items are about the same thing.

export interface PairedUp<T> {
  readonly pairs: readonly (readonly [then: T, now: T])[];
  readonly missing: readonly T[];
  readonly added: readonly T[];
}

/** An item has a key for each pass, the strictest first. Items with equal keys are paired in their order. */
export type KeysOf<T> = (item: T) => readonly string[];

export function pairUp<T>(then: readonly T[], now: readonly T[], keysOf: KeysOf<T>): PairedUp<T> {
  const pairs: (readonly [T, T])[] = [];
  let left = then.map((item) => ({ item, keys: keysOf(item) }));
  let right = now.map((item) => ({ item, keys: keysOf(item) }));
  const passes = Math.max(0, ...[...left, ...right].slice(0, 1).map(({ keys }) => keys.length));
  for (let pass = 0; pass < passes && left.length > 0 && right.length > 0; pass++) {
    const waiting = Map.groupBy(left, ({ keys }) => keys[pass]);
    const paired = new Set<(typeof left)[number]>();
    right = right.filter((each) => {
      const found = waiting.get(each.keys[pass])?.shift();
      if (found === undefined) return true;
      paired.add(found);
      pairs.push([found.item, each.item]);
      return false;
    });
    left = left.filter((each) => !paired.has(each));
  }
  return { pairs, missing: left.map(({ item }) => item), added: right.map(({ item }) => item) };
}
