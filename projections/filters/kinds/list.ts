import type { FilterIDInput, FilterIDListInput } from "../../../schemas/filters.ts";
import { type Column, fieldOf, type Test } from "../fields.ts";
import { all, given, type Params } from "../sql/sql.ts";
import { equalityTest } from "./equality.ts";

/** An empty list equals `[]`. */
export function listTest({ in: among, eq }: FilterIDListInput): Test<readonly string[]> {
  const required = among == null ? undefined : new Set(among);
  const wanted = eq == null ? undefined : new Set(eq);
  return (values) => {
    const present = new Set(values);
    // As long as the subject's list, however long the filter's is.
    if (required !== undefined && (required.size > present.size || !isSubset(required, present))) return false;
    return wanted === undefined || (wanted.size === present.size && isSubset(present, wanted));
  };
}

function isSubset(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const each of part) if (!whole.has(each)) return false;
  return true;
}

/** A field with a list of texts or ids that only memory judges. */
export const list = <Subject>(value: (subject: Subject) => readonly string[]) => ({
  test: (filter: FilterIDListInput): Test<Subject> => {
    const passes = listTest(filter);
    return (subject) => passes(value(subject));
  },
});

/** The same in a column, in which a missing list is an empty one. */
export const listInColumn = fieldOf<FilterIDListInput, readonly string[]>({ test: listTest, compile: compileList });

function compileList(params: Params, { sql }: Column, filter: FilterIDListInput): string {
  const conditions: string[] = [];
  if (given(filter.in)) conditions.push(containsAll(params, sql, filter.in));
  if (given(filter.eq)) {
    const wanted = params.bindList("String", filter.eq);
    conditions.push(containsAll(params, sql, filter.eq), `hasAll(${wanted}, ${sql})`);
  }
  return all(conditions);
}

/** `has` lets ClickHouse skip what its indexes know not to have the entry. */
function containsAll(params: Params, sql: string, entries: readonly string[]): string {
  const [only, ...more] = entries;
  if (only === undefined) return "1";
  if (more.length === 0) return `has(${sql}, ${params.bind("String", only)})`;
  return `hasAll(${sql}, ${params.bindList("String", entries)})`;
}

/** One of the ids must pass `eq` and `in`, and none may equal `ne`. */
export function anyIdTest({ eq, ne, in: among }: FilterIDInput): Test<readonly string[]> {
  const isAsked = eq != null || among != null;
  const isEqual = equalityTest({ eq, in: among });
  return (ids) => (ne == null || !ids.includes(ne)) && (!isAsked || ids.some(isEqual));
}
