// Checks and measures a caller's filter and prepares it for evaluation. Thousands of values in one list are cheap,
// while thousands of separate conditions would take ClickHouse minutes to plan.
import { badInput } from "../../schemas/errors.ts";
import { checkFilter } from "./check.ts";
import { type Mergeable, mergeBranches } from "./merge-branches.ts";

export interface FilterLimits {
  /** Ids, texts, times and numbers in the whole filter, the entries of lists included. */
  readonly maxValues: number;
  /** Filters within `and`, `or` and `not`. Those in an `or` with nothing but one `eq` count as one list. */
  readonly maxBranches: number;
}

/** Longest text in a filter; a ClickHouse server accepts 128 KiB of escaped text in one field. */
const MAX_TEXT = 10_000;

/** Throws BAD_USER_INPUT for a filter that makes no sense or is larger than allowed. */
export function readFilter<Filter>(filter: Filter, limits: FilterLimits): Filter {
  if (typeof filter !== "object" || filter === null) return filter;
  const known = readBefore.get(filter);
  // The cast is safe: it was read from this filter.
  if (known?.limits === limits) return known.merged as Filter;
  const merged = read(filter, limits);
  readBefore.set(filter, { limits, merged });
  return merged;
}

/** Many fields of one operation may have the same variable: it is read, and compiled, once. */
const readBefore = new WeakMap<object, { readonly limits: FilterLimits; readonly merged: unknown }>();

function read<Filter extends object>(filter: Filter, { maxValues, maxBranches }: FilterLimits): Filter {
  checkFilter(filter);
  const values = countValues(filter, refuseLongText);
  if (values > maxValues) {
    throw badInput(`the filter holds ${values} values, the limit is ${maxValues} (API_MAX_FILTER_VALUES)`, ["filter"]);
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

/** Ids, texts, times and numbers. `check` is called with each. */
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

function refuseLongText(value: unknown): void {
  if (typeof value === "string" && value.length > MAX_TEXT) {
    throw badInput(`a text in a filter has at most ${MAX_TEXT} characters`, ["filter"]);
  }
}

function countBranches({ and, or, not }: Mergeable): number {
  const inner = [...(and ?? []), ...(or ?? []), ...(not == null ? [] : [not])];
  return inner.reduce((count, each) => count + countBranches(each), inner.length);
}

/** How many tests one subject may take: a long list is one, as it is compiled to a set. */
export function testsOf(filter: unknown): number {
  if (typeof filter !== "object" || filter === null) return 1;
  const members: readonly unknown[] = Array.isArray(filter) ? filter : Object.values(filter);
  if (members.length > 0 && members.every((each) => typeof each !== "object")) {
    // A pair of coordinates, a list of texts; or the operators of a test.
    return Array.isArray(filter) ? 1 : members.length;
  }
  let tests = 0;
  for (const each of members) tests += testsOf(each);
  return tests;
}
