// The buckets of a count as bars that stand on one another, one for each group.
import type { CountedBucket } from "./question.ts";

export interface Stacks {
  /** Starts of the buckets in milliseconds, without gaps. */
  readonly times: readonly number[];
  /** Largest group first. `values` has one number for each time, `tops` the same on top of the groups before it. */
  readonly groups: readonly StackedGroup[];
}

export interface StackedGroup {
  readonly name: string;
  /** Whether it stands for all groups that are not shown. */
  readonly isOthers: boolean;
  readonly values: readonly number[];
  readonly tops: readonly number[];
  readonly total: number;
}

/** Groups after these are shown as one: there are as many colours that people can tell apart. */
const MOST_GROUPS = 7;
const OTHERS = Symbol("others");
/** A plot with more bars than this says nothing, and would take much memory. */
const MOST_TIMES = 20_000;

/**
 * @param stepMs length of a bucket. Buckets without anything are not in an answer, and get zeros here.
 * @returns undefined when there are no buckets by time, or too many.
 */
export function stacksOf(buckets: readonly CountedBucket[], stepMs: number): Stacks | undefined {
  const known = buckets.flatMap(({ time }) => (time === null ? [] : [time]));
  if (known.length === 0) return undefined;
  const first = known.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const last = known.reduce((most, time) => Math.max(most, time), first);
  const length = Math.round((last - first) / stepMs) + 1;
  if (length > MOST_TIMES) return undefined;

  const shown = new Set(
    groupTotals(buckets)
      .slice(0, MOST_GROUPS)
      .map(({ key }) => key),
  );
  const values = new Map<string | typeof OTHERS, number[]>();
  const names = new Map(buckets.map(({ key, group }) => [key, group]));
  for (const { time, key, total } of buckets) {
    if (time === null) continue;
    const shownKey = shown.has(key) ? key : OTHERS;
    const ofGroup = values.get(shownKey) ?? new Array<number>(length).fill(0);
    values.set(shownKey, ofGroup);
    const place = Math.round((time - first) / stepMs);
    ofGroup[place] = (ofGroup[place] ?? 0) + total;
  }
  const below = new Array<number>(length).fill(0);
  const groups = [...values]
    .map(([key, ofGroup]) => {
      const isOthers = typeof key === "symbol";
      return { name: isOthers ? "others" : (names.get(key) ?? key), isOthers, values: ofGroup, total: sumOf(ofGroup) };
    })
    .sort((a, b) => Number(a.isOthers) - Number(b.isOthers) || b.total - a.total)
    .map((group): StackedGroup => {
      for (const [i, value] of group.values.entries()) below[i] = (below[i] ?? 0) + value;
      return { ...group, tops: [...below] };
    });
  return { times: Array.from({ length }, (_, i) => first + i * stepMs), groups };
}

export interface GroupTotal {
  readonly key: string;
  readonly name: string;
  readonly total: number;
}

/** Largest first. */
export function groupTotals(buckets: readonly CountedBucket[]): readonly GroupTotal[] {
  const totals = new Map<string, GroupTotal>();
  for (const { key, group: name, total } of buckets)
    totals.set(key, { key, name, total: (totals.get(key)?.total ?? 0) + total });
  return [...totals.values()].sort((a, b) => b.total - a.total);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);
