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
  /** A pair takes as long as so many tests. */
  readonly cost: number;
  before: boolean | undefined;
  /** Place of the next number to look at. */
  nextBefore: number;
  /** Number of the next pair to look at, and of the first that matched. */
  next: number;
  found: number;
}

const looks = new WeakMap<FilterPointInput, WeakMap<SeenPositions, Looked>>();

/** Tests of positions in one go: some two milliseconds. */
const SLICE = 10_000;
let left = Number.POSITIVE_INFINITY;
const NOT_YET = new Error("there are more positions to look at");

/**
 * Judges a message, and yields how many tests of positions that took, a slice at a time. After a slice the judgement begins
 * again, and goes on at the position where it was: each filter remembers how far it has looked.
 */
export function* inSlices(judge: () => boolean): Generator<number, boolean> {
  for (;;) {
    let verdict: boolean | undefined;
    left = SLICE;
    try {
      verdict = judge();
    } catch (error) {
      if (error !== NOT_YET) throw error;
    }
    const tests = SLICE - left;
    left = Number.POSITIVE_INFINITY;
    if (tests > 0) yield tests;
    if (verdict !== undefined) return verdict;
  }
}

function wasThere(filter: FilterPointInput, { seen, count }: SeenSoFar): boolean {
  const looked = lookedBy(filter, seen);
  const { before, pairs, first } = seen;
  if (looked.before === undefined && before !== undefined) {
    const stop = (at: number) => {
      looked.nextBefore = at;
    };
    looked.before = findPair(filter, before, [looked.nextBefore, before.length], looked.cost, stop) >= 0;
  }
  if (looked.before === true || looked.found < count) return true;
  const span: Span = [2 * (Math.max(looked.next, first) - first), 2 * (count - first)];
  const found = findPair(filter, pairs, span, looked.cost, (at) => {
    looked.next = first + at / 2;
  });
  looked.next = Math.max(looked.next, count);
  if (found < 0) return false;
  looked.found = first + found / 2;
  return true;
}

function lookedBy(filter: FilterPointInput, seen: SeenPositions): Looked {
  const ofFilter = looks.get(filter) ?? new WeakMap<SeenPositions, Looked>();
  const known = ofFilter.get(seen);
  if (known !== undefined) return known;
  const looked = { cost: costOf(filter), before: undefined, nextBefore: 0, next: 0, found: Number.POSITIVE_INFINITY };
  ofFilter.set(seen, looked);
  looks.set(filter, ofFilter);
  return looked;
}

/** Vertices of a polygon that take as long as a test. */
const VERTICES_PER_TEST = 16;

const costOf = ({ in: polygon }: FilterPointInput): number =>
  1 + (polygon?.coordinates ?? []).reduce((sum, ring) => sum + ring.length, 0) / VERTICES_PER_TEST;

/** Places of numbers: the first, and the one after the last. */
type Span = readonly [number, number];

/** Calls `stop` with the place to go on at, and throws `NOT_YET`, where the slice ends before the span does. */
function findPair(
  filter: FilterPointInput,
  pairs: readonly number[],
  [from, to]: Span,
  cost: number,
  stop: (at: number) => void,
): number {
  const end = Math.min(to, from + 2 * Math.max(0, Math.ceil(left / cost)));
  let at = from;
  while (at < end && !isThere(filter, pairs[at] ?? Number.NaN, pairs[at + 1] ?? Number.NaN)) at += 2;
  left -= (cost * (at - from)) / 2;
  if (at < end) return at;
  if (end === to || from >= to) return -1;
  stop(end);
  throw NOT_YET;
}
