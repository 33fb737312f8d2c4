// Evaluates the value filters of schemas/filters.ts in memory, by the rules written there. A value that is null or
// undefined is missing: it fails every test but `ne` and `attributeExists: false`.
import type {
  FilterBooleanInput,
  FilterDateTimeOffsetInput,
  FilterIDInput,
  FilterIDListInput,
  FilterMessageStateInput,
  FilterNumberInput,
  FilterStringInput,
} from "../../schemas/filters.ts";

type Maybe<T> = T | null | undefined;

interface Equality<T> {
  readonly eq?: Maybe<T>;
  readonly ne?: Maybe<T>;
  readonly in?: Maybe<readonly T[]>;
  readonly attributeExists?: Maybe<boolean>;
}

function matchesEquality<T>(filter: Equality<T>, value: Maybe<T>): boolean {
  const missing = value === null || value === undefined;
  if (filter.attributeExists != null && filter.attributeExists === missing) return false;
  if (filter.ne != null && value === filter.ne) return false;
  if (filter.eq != null && value !== filter.eq) return false;
  return filter.in == null || (!missing && setOf(filter.in).has(value));
}

/** A list may be long, and every message is compared with it: it is made a set once. */
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function setOf<T>(list: readonly T[]): ReadonlySet<unknown> {
  let set = sets.get(list);
  if (set === undefined) {
    set = new Set(list);
    sets.set(list, set);
  }
  return set;
}

const folded = new WeakMap<readonly string[], readonly string[]>();

function inLowerCase(list: readonly string[]): readonly string[] {
  let lower = folded.get(list);
  if (lower === undefined) {
    lower = list.map((text) => text.toLowerCase());
    folded.set(list, lower);
  }
  return lower;
}

export const matchesId = (filter: FilterIDInput, value: Maybe<string>): boolean => matchesEquality(filter, value);

export const matchesBoolean = (filter: FilterBooleanInput, value: Maybe<boolean>): boolean =>
  matchesEquality(filter, value);

export const matchesState = (filter: FilterMessageStateInput, value: "START" | "UPDATE" | "END"): boolean =>
  matchesEquality(filter, value);

export function matchesString(filter: FilterStringInput, value: Maybe<string>): boolean {
  if (!matchesEquality(filter, value)) return false;
  return filter.like == null || (value?.toLowerCase().includes(filter.like.toLowerCase()) ?? false);
}

/** Tags: equality, too, in any case. */
export function matchesStringInAnyCase(filter: FilterStringInput, value: Maybe<string>): boolean {
  const { eq, ne, in: among } = filter;
  return matchesString(
    { ...filter, eq: eq?.toLowerCase(), ne: ne?.toLowerCase(), in: among == null ? among : inLowerCase(among) },
    value?.toLowerCase(),
  );
}

/** Times are numbers of milliseconds. */
export function matchesTime(filter: FilterDateTimeOffsetInput, value: Maybe<number>): boolean {
  return matchesNumber(filter, value);
}

export function matchesNumber(filter: FilterNumberInput, value: Maybe<number>): boolean {
  if (!matchesEquality(filter, value)) return false;
  const { lt, le, gt, ge, between } = filter;
  if (lt == null && le == null && gt == null && ge == null && between == null) return true;
  if (value === null || value === undefined) return false;
  if (lt != null && !(value < lt)) return false;
  if (le != null && !(value <= le)) return false;
  if (gt != null && !(value > gt)) return false;
  if (ge != null && !(value >= ge)) return false;
  return between == null || isBetween(between, value);
}

function isBetween([from, to]: readonly number[], value: number): boolean {
  return from !== undefined && to !== undefined && from <= value && value <= to;
}

/** A list without any entry has exactly the entries []. */
export function matchesStringList(filter: FilterIDListInput, values: readonly string[]): boolean {
  const present = new Set(values);
  if (filter.in != null && !filter.in.every((entry) => present.has(entry))) return false;
  if (filter.eq == null) return true;
  const wanted = new Set(filter.eq);
  return wanted.size === present.size && [...wanted].every((entry) => present.has(entry));
}
