// Tests FilterPointInput against all positions of a track that the feed knows.
import type { FilterPointInput } from "../../../schemas/filters.ts";
import { hasPosition, type SeenPositions, type SeenSoFar } from "../seen-positions.ts";
import { endSlice, leftInSlice, spendInSlice } from "../slices.ts";
import { concernsPosition, isThere } from "./point.ts";

/** @returns true when any position matches. Each filter tests each pair once. */
export function matchesAnySeen(filter: FilterPointInput, soFar: SeenSoFar): boolean {
  const { attributeExists } = filter;
  if (attributeExists != null && attributeExists !== hasPosition(soFar)) return false;
  return !concernsPosition(filter) || wasThere(filter, soFar);
}

/** The progress of a filter over a track's positions. */
interface SearchProgress {
  /** The cost of testing one pair, in tests. */
  readonly cost: number;
  before: boolean | undefined;
  /** Index of the next number to test. */
  nextBefore: number;
  /** Numbers of the next pair to test, and of the first that matched. */
  next: number;
  found: number;
}

const searches = new WeakMap<FilterPointInput, WeakMap<SeenPositions, SearchProgress>>();

function wasThere(filter: FilterPointInput, { seen, count }: SeenSoFar): boolean {
  const progress = progressOf(filter, seen);
  const { before, pairs, first } = seen;
  if (progress.before === undefined && before !== undefined) {
    const stop = (at: number) => {
      progress.nextBefore = at;
    };
    progress.before = findPair(filter, before, [progress.nextBefore, before.length], progress.cost, stop) >= 0;
  }
  if (progress.before === true || progress.found < count) return true;
  const span: Span = [2 * (Math.max(progress.next, first) - first), 2 * (count - first)];
  const found = findPair(filter, pairs, span, progress.cost, (at) => {
    progress.next = first + at / 2;
  });
  progress.next = Math.max(progress.next, count);
  if (found < 0) return false;
  progress.found = first + found / 2;
  return true;
}

function progressOf(filter: FilterPointInput, seen: SeenPositions): SearchProgress {
  const ofFilter = searches.get(filter) ?? new WeakMap<SeenPositions, SearchProgress>();
  const known = ofFilter.get(seen);
  if (known !== undefined) return known;
  const progress = { cost: costOf(filter), before: undefined, nextBefore: 0, next: 0, found: Number.POSITIVE_INFINITY };
  ofFilter.set(seen, progress);
  searches.set(filter, ofFilter);
  return progress;
}

/** Number of vertices of a polygon that take as long as a test. */
const VERTICES_PER_TEST = 16;

const costOf = ({ in: polygon }: FilterPointInput): number =>
  1 + (polygon?.coordinates ?? []).reduce((sum, ring) => sum + ring.length, 0) / VERTICES_PER_TEST;

/** Indexes of the first number, and of the one after the last. */
type Span = readonly [number, number];

/** When the slice ends before the span, calls `stop` with the index at which to continue. */
function findPair(
  filter: FilterPointInput,
  pairs: readonly number[],
  [from, to]: Span,
  cost: number,
  stop: (at: number) => void,
): number {
  const end = Math.min(to, from + 2 * Math.max(0, Math.ceil(leftInSlice() / cost)));
  let at = from;
  while (at < end && !isThere(filter, pairs[at] ?? Number.NaN, pairs[at + 1] ?? Number.NaN)) at += 2;
  spendInSlice((cost * (at - from)) / 2);
  if (at < end) return at;
  if (end === to || from >= to) return -1;
  stop(end);
  return endSlice();
}
