import type { FilterIDInput, FilterIDListInput } from "../../../schemas/filters.ts";
import { fieldOf, type SqlColumn, type Test } from "../fields.ts";
import { all, given, type Params } from "../sql/sql.ts";
import { equalityTest } from "./equality.ts";

/** Tests a list: it must contain all entries of `in`, and the same entries as `eq`. An empty list passes `eq: []`. */
export function listTest({ in: among, eq }: FilterIDListInput): Test<readonly string[]> {
  const required = among == null ? undefined : new Set(among);
  const wanted = eq == null ? undefined : new Set(eq);
  return (values) => {
    if (required !== undefined && required.size > values.length) return false;
    const present = setOf(values);
    // This loop runs at most as long as the subject's list, however long the filter's list is.
    if (required !== undefined && !isSubset(required, present)) return false;
    return wanted === undefined || (wanted.size === present.size && isSubset(present, wanted));
  };
}

/**
 * The set of the list that was tested last. It is kept because the branches of a filter test the same list one after
 * the other.
 */
let last: { readonly values: readonly string[]; readonly present: ReadonlySet<string> } = {
  values: [],
  present: new Set(),
};

function setOf(values: readonly string[]): ReadonlySet<string> {
  if (last.values !== values) last = { values, present: new Set(values) };
  return last.present;
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const each of part) if (!whole.has(each)) return false;
  return true;
}

/** A field with a list of texts or ids that is tested only in memory. */
export const list = <Subject>(value: (subject: Subject) => readonly string[]) => ({
  test: (filter: FilterIDListInput): Test<Subject> => {
    const passes = listTest(filter);
    return (subject) => passes(value(subject));
  },
});

/** The same field in a column, in which a missing list is an empty one. */
export const listInColumn = fieldOf<FilterIDListInput, readonly string[]>({ test: listTest, compile: compileList });

function compileList(params: Params, { sql }: SqlColumn, filter: FilterIDListInput): string {
  const conditions: string[] = [];
  if (given(filter.in)) conditions.push(containsAll(params, sql, filter.in));
  if (given(filter.eq)) {
    const wanted = params.bindList("String", filter.eq);
    conditions.push(containsAll(params, sql, filter.eq), `hasAll(${wanted}, ${sql})`);
  }
  return all(conditions);
}

/** Uses `has` for a single entry, because ClickHouse's indexes then skip the parts without it. */
function containsAll(params: Params, sql: string, entries: readonly string[]): string {
  const [only, ...more] = entries;
  if (only === undefined) return "1";
  if (more.length === 0) return `has(${sql}, ${params.bind("String", only)})`;
  return `hasAll(${sql}, ${params.bindList("String", entries)})`;
}

/** One of the ids must pass `eq` and `in`, and none may equal `ne`. */
export function anyIdTest({ eq, ne, in: among }: FilterIDInput): Test<readonly string[]> {
  const hasCondition = eq != null || among != null;
  const isEqual = equalityTest({ eq, in: among });
  return (ids) => (ne == null || !ids.includes(ne)) && (!hasCondition || ids.some(isEqual));
}
