/** Logic of every filter object: its own members and `and`, `or`, `not` must all hold. */
export interface Combined<Self> {
  readonly and?: readonly Self[] | null | undefined;
  readonly or?: readonly Self[] | null | undefined;
  readonly not?: Self | null | undefined;
}

/** `own` looks at the members of one filter object besides and, or, not. */
export function matches<Filter extends Combined<Filter>, Subject>(
  filter: Filter,
  subject: Subject,
  own: (filter: Filter, subject: Subject) => boolean,
): boolean {
  if (!own(filter, subject)) return false;
  if (filter.and != null && !filter.and.every((each) => matches(each, subject, own))) return false;
  if (filter.or != null && !filter.or.some((each) => matches(each, subject, own))) return false;
  return filter.not == null || !matches(filter.not, subject, own);
}

/** A member that is not given holds. */
export const given = <F>(filter: F | null | undefined, test: (filter: F) => boolean): boolean =>
  filter === null || filter === undefined || test(filter);
