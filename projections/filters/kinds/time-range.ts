import type { FilterTimeRangeInput, TimeRangeInput } from "../../../schemas/filters.ts";
import { all, bindTime, given, type Params } from "../sql/sql.ts";

interface Period {
  readonly start: number;
  /** Null while the period has not ended: it then lasts to the end of time. */
  readonly end: number | null;
}

interface PeriodColumns {
  readonly start: string;
  readonly end: string;
}

interface Description<Subject> extends PeriodColumns {
  readonly value: (subject: Subject) => Period;
}

export const timeRange = <Subject>({ value, ...columns }: Description<Subject>) => ({
  isKey: false,
  test: (filter: FilterTimeRangeInput) => (subject: Subject) => matchesTimeRange(filter, value(subject)),
  compile: (filter: FilterTimeRangeInput, { params }: { readonly params: Params }) =>
    compileTimeRange(params, columns, filter),
});

/** No period starts at the beginning of time. Only a period without an end reaches the end of time. */
function matchesTimeRange(filter: FilterTimeRangeInput, { start, end: ended }: Period): boolean {
  const end = ended ?? Number.POSITIVE_INFINITY;
  const from = (range: TimeRangeInput) => range.start ?? Number.NEGATIVE_INFINITY;
  const to = (range: TimeRangeInput) => range.end ?? Number.POSITIVE_INFINITY;
  const { containing, containedBy, intersecting, startingWithin, endingWithin, containingInstant } = filter;
  const { before, after } = filter;
  return (
    (containing == null || (start <= from(containing) && end >= to(containing))) &&
    (containedBy == null || (start >= from(containedBy) && end <= to(containedBy))) &&
    (intersecting == null || (start <= to(intersecting) && end >= from(intersecting))) &&
    (startingWithin == null || (start >= from(startingWithin) && start <= to(startingWithin))) &&
    (endingWithin == null || (ended !== null && end >= from(endingWithin) && end <= to(endingWithin))) &&
    (containingInstant == null || (start <= containingInstant && end >= containingInstant)) &&
    (before == null || end < before) &&
    (after == null || start > after)
  );
}

function compileTimeRange(params: Params, { start, end }: PeriodColumns, filter: FilterTimeRangeInput): string {
  const time = (ms: number) => bindTime(params, ms);
  const ended = (condition: string) => `${end} IS NOT NULL AND ifNull(${condition}, 0)`;
  const open = (condition: string) => `ifNull(${condition}, 1)`;
  const within = (sql: string, range: TimeRangeInput) => {
    const bounds: string[] = [];
    if (given(range.start)) bounds.push(`${sql} >= ${time(range.start)}`);
    if (given(range.end)) bounds.push(`${sql} <= ${time(range.end)}`);
    return all(bounds);
  };
  const conditions: string[] = [];
  if (given(filter.containing)) {
    const range = filter.containing;
    conditions.push(given(range.start) ? `${start} <= ${time(range.start)}` : "0");
    conditions.push(given(range.end) ? open(`${end} >= ${time(range.end)}`) : `${end} IS NULL`);
  }
  if (given(filter.containedBy)) {
    const range = filter.containedBy;
    if (given(range.start)) conditions.push(`${start} >= ${time(range.start)}`);
    if (given(range.end)) conditions.push(ended(`${end} <= ${time(range.end)}`));
  }
  if (given(filter.intersecting)) {
    const range = filter.intersecting;
    if (given(range.end)) conditions.push(`${start} <= ${time(range.end)}`);
    if (given(range.start)) conditions.push(open(`${end} >= ${time(range.start)}`));
  }
  if (given(filter.startingWithin)) conditions.push(within(start, filter.startingWithin));
  if (given(filter.endingWithin)) conditions.push(ended(within(end, filter.endingWithin)));
  if (given(filter.containingInstant)) {
    const instant = time(filter.containingInstant);
    conditions.push(`${start} <= ${instant}`, open(`${end} >= ${instant}`));
  }
  if (given(filter.before)) conditions.push(ended(`${end} < ${time(filter.before)}`));
  if (given(filter.after)) conditions.push(`${start} > ${time(filter.after)}`);
  return all(conditions);
}
