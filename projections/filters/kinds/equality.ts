// The tests in memory that all kinds share. A value that is null or undefined is missing.
import type { Maybe } from "../fields.ts";

export interface Equality<T> {
  readonly eq?: Maybe<T>;
  readonly ne?: Maybe<T>;
  readonly in?: Maybe<readonly T[]>;
  readonly attributeExists?: Maybe<boolean>;
}

export function matchesEquality<T>(filter: Equality<T>, value: Maybe<T>): boolean {
  const missing = value === null || value === undefined;
  if (filter.attributeExists != null && filter.attributeExists === missing) return false;
  if (filter.ne != null && value === filter.ne) return false;
  if (filter.eq != null && value !== filter.eq) return false;
  return filter.in == null || (!missing && setOf(filter.in).has(value));
}

/** A list may be long, and every message is compared with it, so it becomes a set once. */
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function setOf<T>(list: readonly T[]): ReadonlySet<unknown> {
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list);
    sets.set(list, set);
  }
  return set;
}
