import type { FilterIDInput, FilterIDListInput } from "../../../schemas/filters.ts";
import { matchesId } from "./string.ts";

/** A list without any entry has exactly the entries []. */
export function matchesStringList(filter: FilterIDListInput, values: readonly string[]): boolean {
  const present = new Set(values);
  if (filter.in != null && !filter.in.every((entry) => present.has(entry))) return false;
  if (filter.eq == null) return true;
  const wanted = new Set(filter.eq);
  return wanted.size === present.size && [...wanted].every((entry) => present.has(entry));
}

/** Lists of texts or ids. No table holds one. */
export const list = <Subject>(value: (subject: Subject) => readonly string[]) => ({
  matches: (filter: FilterIDListInput, subject: Subject) => matchesStringList(filter, value(subject)),
});

/** Of several ids one must pass `eq` and `in`, and none may be the one of `ne`. */
export function matchesAnyId({ eq, ne, in: among }: FilterIDInput, ids: readonly string[]): boolean {
  return (
    (ne == null || !ids.includes(ne)) &&
    ((eq == null && among == null) || ids.some((each) => matchesId({ eq, in: among }, each)))
  );
}
