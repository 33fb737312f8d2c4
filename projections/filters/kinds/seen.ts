// FilterPointInput over all positions of a track, as far as the feed knows them.
import type { FilterPointInput } from "../../../schemas/filters.ts";
import { hasPosition, type SeenPositions, type SeenSoFar } from "../../feed/seen-positions.ts";
import { asksWhere, isThere } from "./point.ts";

/** True if any position matches. Each filter looks at each pair once. */
export function matchesSeen(filter: FilterPointInput, soFar: SeenSoFar): boolean {
  const { attributeExists } = filter;
  if (attributeExists != null && attributeExists !== hasPosition(soFar)) return false;
  return !asksWhere(filter) || wasThere(filter, soFar);
}

/** How far a filter has looked at a track's positions. */
interface Looked {
  before: boolean | undefined;
  /** Number of the next pair to look at, and of the first that matched. */
  next: number;
  found: number;
}

const looks = new WeakMap<FilterPointInput, WeakMap<SeenPositions, Looked>>();

function wasThere(filter: FilterPointInput, { seen, count }: SeenSoFar): boolean {
  const looked = lookedBy(filter, seen);
  const { before, pairs, first } = seen;
  if (looked.before === undefined && before !== undefined)
    looked.before = findPair(filter, before, 0, before.length) >= 0;
  if (looked.before === true || looked.found < count) return true;
  const found = findPair(filter, pairs, 2 * (Math.max(looked.next, first) - first), 2 * (count - first));
  looked.next = Math.max(looked.next, count);
  if (found < 0) return false;
  looked.found = first + found / 2;
  return true;
}

function lookedBy(filter: FilterPointInput, seen: SeenPositions): Looked {
  const ofFilter = looks.get(filter) ?? new WeakMap<SeenPositions, Looked>();
  const looked = ofFilter.get(seen) ?? { before: undefined, next: 0, found: Number.POSITIVE_INFINITY };
  ofFilter.set(seen, looked);
  looks.set(filter, ofFilter);
  return looked;
}

function findPair(filter: FilterPointInput, pairs: readonly number[], from: number, to: number): number {
  for (let i = from; i < to; i += 2) {
    if (isThere(filter, pairs[i] ?? Number.NaN, pairs[i + 1] ?? Number.NaN)) return i;
  }
  return -1;
}
