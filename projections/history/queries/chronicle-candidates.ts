// Finds chronicles by what single rows of their table say. Of each value that a chronicle has, some row says that it is
// so, merged or not. So the chronicles of such rows are a superset of those that fulfil the filter; the view judges them.
import type {
  FilterDateTimeOffsetInput,
  FilterIDInput,
  FilterIDListInput,
  FilterStringInput,
  FilterTimeRangeInput,
} from "../../../schemas/filters.ts";
import { listInColumn } from "../../filters/kinds/list.ts";
import { compileString } from "../../filters/kinds/string.ts";
import { all, bindTime, given, type Params } from "../../filters/sql/sql.ts";
import { columnOf } from "../chronicle-columns.ts";

/** The members that the filters of chronicles may have, as far as rows can be found by them. */
export interface FilterOfChronicles {
  readonly id?: FilterIDInput | null | undefined;
  readonly timeRange?: FilterTimeRangeInput | null | undefined;
  readonly and?: readonly FilterOfChronicles[] | null | undefined;
}

/** Which columns of the table say what. */
export interface Rows {
  readonly table: string;
  /** Column of the time by which the kind is listed, without `set_`. */
  readonly start: string;
  /** The fields with a single text, and those with a list of texts. */
  readonly texts: readonly string[];
  readonly lists: readonly string[];
  /** The fields with a time. */
  readonly times: readonly string[];
}

/** As the projection of the table has it. An expression with a constant in it would find the order, but no range in it. */
export const ownStart = (start: string): string => `set_${start}.2`;

export const saysStart = (start: string): string => `set_${start}.1 > 0`;

/** What each row must fulfil that decides the start of a chronicle which fulfils the filter. */
export function startCondition(params: Params, filter: FilterOfChronicles, { start }: Rows): string {
  const lead = ownStart(start);
  const bounds = startBounds(filter, start).map(({ operator, ms }) => `${lead} ${operator} ${bindTime(params, ms)}`);
  return all([saysStart(start), ...bounds]);
}

/** Fulfilled by all chronicles that fulfil the filter, and judged by few columns. */
export function amongChronicles(params: Params, filter: FilterOfChronicles, rows: Rows): string | undefined {
  const sets = rowConditions(params, filter, rows).map(
    (condition) => `chronicle_id IN (SELECT chronicle_id FROM ${rows.table} WHERE ${condition})`,
  );
  return sets.length === 0 ? undefined : all(sets);
}

const positive = ({ eq, in: among }: FilterIDInput & FilterStringInput): FilterStringInput => ({ eq, in: among });

/** Each is fulfilled by some row of every chronicle that fulfils the filter. */
function rowConditions(params: Params, filter: FilterOfChronicles, rows: Rows): string[] {
  const conditions: string[] = [];
  const members = new Map(Object.entries(filter).filter(([, member]) => given(member)));
  for (const field of rows.texts) {
    const member: FilterStringInput | undefined = members.get(field);
    if (!given(member?.eq) && !given(member?.in)) continue;
    // A text that is said to be missing equals none.
    conditions.push(compileString(params, { sql: said(field, 2), nullable: true }, positive(member)));
  }
  for (const field of rows.lists) {
    const member: FilterIDListInput | undefined = members.get(field);
    const entries = [...(member?.in ?? []), ...(member?.eq ?? [])];
    if (entries.length === 0) continue;
    conditions.push(listInColumn({ value: () => [], sql: said(field, 3) }).compile({ in: entries }, asking(params)));
  }
  conditions.push(...startAndEnd(params, filter, rows));
  for (const each of filter.and ?? []) conditions.push(...rowConditions(params, each, rows));
  return conditions;
}

const asking = (params: Params) => ({ params, dataSourceIds: () => [], scope: [] });
const said = (field: string, element: number): string => `set_${columnOf(field)}.${element}`;

interface Bound {
  readonly operator: ">=" | "<=";
  readonly ms: number;
}

const from = (ms: number | null | undefined): Bound[] => (given(ms) ? [{ operator: ">=", ms }] : []);
const to = (ms: number | null | undefined): Bound[] => (given(ms) ? [{ operator: "<=", ms }] : []);

function startAndEnd(params: Params, { and: _and, ...filter }: FilterOfChronicles, rows: Rows): string[] {
  const conditions: string[] = [];
  const starts = startBounds(filter, rows.start);
  // By the projection, in which the column has no other name than this.
  if (starts.length > 0) conditions.push(startCondition(params, filter, rows));
  const { containing, intersecting, containingInstant, endingWithin, containedBy, before } = filter.timeRange ?? {};
  const lasting = [...from(containing?.end), ...from(intersecting?.start), ...from(containingInstant)];
  const ended = [...from(endingWithin?.start), ...to(endingWithin?.end), ...to(containedBy?.end), ...to(before)];
  const end = "set_end_time.2";
  const compare = ({ operator, ms }: Bound) => `ifNull(${end} ${operator} ${bindTime(params, ms)}, 0)`;
  const isSaid = "set_end_time.1 > 0";
  if (lasting.length > 0) conditions.push(all([isSaid, `${end} IS NULL OR ${all(lasting.map(compare))}`]));
  if (ended.length > 0) conditions.push(all([isSaid, ...ended.map(compare)]));
  for (const field of rows.times) {
    const bounds = boundsOf(filter, field);
    const column = said(field, 2);
    const compareTo = ({ operator, ms }: Bound) => `ifNull(${column} ${operator} ${bindTime(params, ms)}, 0)`;
    if (bounds.length > 0) conditions.push(all([`${said(field, 1)} > 0`, ...bounds.map(compareTo)]));
  }
  return conditions;
}

function startBounds({ and, ...filter }: FilterOfChronicles, start: string): Bound[] {
  const { containing, containedBy, intersecting, startingWithin, containingInstant, after } = filter.timeRange ?? {};
  return [
    ...Object.keys(filter).flatMap((field) => (columnOf(field) === start ? boundsOf(filter, field) : [])),
    ...[containing?.start, intersecting?.end, startingWithin?.end, containingInstant].flatMap(to),
    ...[containedBy?.start, startingWithin?.start, after].flatMap(from),
    ...(and ?? []).flatMap((each) => startBounds(each, start)),
  ];
}

/** Of a time that must lie in a range. */
function boundsOf(filter: object, field: string): Bound[] {
  const member: FilterDateTimeOffsetInput | null | undefined = Reflect.get(filter, field);
  const [first, last] = member?.between ?? [];
  return [...[member?.eq, first].flatMap(from), ...[member?.eq, last].flatMap(to)];
}
