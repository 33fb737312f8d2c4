import type { FilterIDInput, FilterIDListInput } from "../../../schemas/filters.ts";
import { matchesId } from "./string.ts";

/** An empty list equals `[]`. */
export function matchesStringList(filter: FilterIDListInput, values: readonly string[]): boolean {
  const present = new Set(values);
  if (filter.in != null && !filter.in.every((entry) => present.has(entry))) return false;
  if (filter.eq == null) return true;
  const wanted = new Set(filter.eq);
  return wanted.size === present.size && [...wanted].every((entry) => present.has(entry));
}

/** A field with a list of texts or ids. No table has such a column. */
export const list = <Subject>(value: (subject: Subject) => readonly string[]) => ({
  matches: (filter: FilterIDListInput, subject: Subject) => matchesStringList(filter, value(subject)),
});

/** One of the ids must pass `eq` and `in`, and none may equal `ne`. */
export function matchesAnyId({ eq, ne, in: among }: FilterIDInput, ids: readonly string[]): boolean {
  return (
    (ne == null || !ids.includes(ne)) &&
    ((eq == null && among == null) || ids.some((each) => matchesId({ eq, in: among }, each)))
  );
}
