// Checks and measures a caller's filter and prepares it for evaluation. Thousands of values in one list are cheap,
// while ClickHouse would plan thousands of separate conditions for minutes.
import { badInput } from "../../schemas/errors.ts";
import { checkFilter } from "./check.ts";
import { type Mergeable, mergeBranches } from "./merge-branches.ts";

export interface FilterLimits {
  /** The maximum number of ids, texts, times and numbers in the whole filter, including the entries of lists. */
  readonly maxValues: number;
  /**
   * The maximum number of filters within `and`, `or` and `not`. Those in an `or` with nothing but one `eq` count as one
   * list.
   */
  readonly maxBranches: number;
}

/** Longest text in a filter. A ClickHouse server accepts 128 KiB of escaped text in one field. */
const MAX_TEXT = 10_000;
/**
 * Bounds all texts of a filter together, for each value that it may have: the store's client writes them without a
 * pause, 50 characters in a microsecond.
 */
const CHARACTERS_PER_VALUE = 64;

/** Throws BAD_USER_INPUT for a filter that makes no sense or is larger than allowed. */
export function readFilter<Filter>(filter: Filter, limits: FilterLimits): Filter {
  if (typeof filter !== "object" || filter === null) return filter;
  const known = readBefore.get(filter);
  // The cast is safe: the result was read from this filter.
  if (known?.limits === limits) return known.merged as Filter;
  const merged = read(filter, limits);
  readBefore.set(filter, { limits, merged });
  return merged;
}

/**
 * The filters that were read. Many fields of one operation may have the same variable, which is then read and compiled
 * once.
 */
const readBefore = new WeakMap<object, { readonly limits: FilterLimits; readonly merged: unknown }>();

function read<Filter extends object>(filter: Filter, { maxValues, maxBranches }: FilterLimits): Filter {
  checkFilter(filter);
  const { values, characters } = measureFilter(filter);
  if (values > maxValues) {
    throw badInput(`the filter holds ${values} values, the limit is ${maxValues} (API_MAX_FILTER_VALUES)`, ["filter"]);
  }
  const maxCharacters = Math.max(MAX_TEXT, CHARACTERS_PER_VALUE * maxValues);
  if (characters > maxCharacters) {
    const hint = `${CHARACTERS_PER_VALUE} for each of API_MAX_FILTER_VALUES`;
    throw badInput(`the filter's texts hold ${characters} characters, the limit is ${maxCharacters}: ${hint}`, [
      "filter",
    ]);
  }
  const merged = mergeBranches(filter);
  const branches = countBranches(merged);
  if (branches > maxBranches) {
    const hint = "several values of one field go into one `in`";
    throw badInput(
      `the filter holds ${branches} filters, the limit is ${maxBranches} (API_MAX_FILTER_BRANCHES): ${hint}`,
      ["filter"],
    );
  }
  return merged;
}

/** Throws BAD_USER_INPUT for a text that is too long. */
export function measureFilter(filter: object): { readonly values: number; readonly characters: number } {
  let characters = 0;
  const values = countValues(filter, (value) => {
    if (typeof value !== "string") return;
    if (value.length > MAX_TEXT) throw badInput(`a text in a filter has at most ${MAX_TEXT} characters`, ["filter"]);
    characters += value.length;
  });
  return { values, characters };
}

/** Counts ids, texts, times and numbers. `check` is called with each. */
export function countValues(part: unknown, check?: (value: unknown) => void): number {
  if (part === null || part === undefined) return 0;
  if (typeof part !== "object") {
    check?.(part);
    return 1;
  }
  let count = 0;
  for (const each of Array.isArray(part) ? part : Object.values(part)) count += countValues(each, check);
  return count;
}

function countBranches({ and, or, not }: Mergeable): number {
  const inner = [...(and ?? []), ...(or ?? []), ...(not == null ? [] : [not])];
  return inner.reduce((count, each) => count + countBranches(each), inner.length);
}

/** Returns the maximum number of tests of one subject. A long list is one test, because it is compiled to a set. */
export function testsOf(filter: unknown): number {
  if (typeof filter !== "object" || filter === null) return 1;
  const members: readonly unknown[] = Array.isArray(filter) ? filter : Object.values(filter);
  if (members.length > 0 && members.every((each) => typeof each !== "object")) {
    // The members are a pair of coordinates, a list of texts, or the operators of a test.
    return Array.isArray(filter) ? 1 : members.length;
  }
  let tests = 0;
  for (const each of members) tests += testsOf(each);
  return tests;
}
