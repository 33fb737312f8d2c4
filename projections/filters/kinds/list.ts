import type { FilterIDInput, FilterIDListInput } from "../../../schemas/filters.ts";
import { type Column, fieldOf } from "../fields.ts";
import { all, given, type Params } from "../sql/sql.ts";
import { matchesId } from "./string.ts";

/** An empty list equals `[]`. */
export function matchesStringList(filter: FilterIDListInput, values: readonly string[]): boolean {
  const present = new Set(values);
  if (filter.in != null && !filter.in.every((entry) => present.has(entry))) return false;
  if (filter.eq == null) return true;
  const wanted = new Set(filter.eq);
  return wanted.size === present.size && [...wanted].every((entry) => present.has(entry));
}

/** A field with a list of texts or ids that only memory judges. */
export const list = <Subject>(value: (subject: Subject) => readonly string[]) => ({
  matches: (filter: FilterIDListInput, subject: Subject) => matchesStringList(filter, value(subject)),
});

/** The same in a column, in which a missing list is an empty one. */
export const listInColumn = fieldOf<FilterIDListInput, readonly string[]>({
  matches: matchesStringList,
  compile: compileList,
});

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
export function matchesAnyId({ eq, ne, in: among }: FilterIDInput, ids: readonly string[]): boolean {
  return (
    (ne == null || !ids.includes(ne)) &&
    ((eq == null && among == null) || ids.some((each) => matchesId({ eq, in: among }, each)))
  );
}
