// Finds chronicles by single rows of their table. Some row contains each value that a chronicle has, whether ClickHouse
// has merged the rows or not. So the chronicles of the rows that match are a superset of those that fulfil the filter;
// the view tests them exactly.
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
import { columnOf } from "./columns.ts";

/** The members of a chronicle filter by which rows can be found. */
export interface FilterOfChronicles {
  readonly id?: FilterIDInput | null | undefined;
  readonly timeRange?: FilterTimeRangeInput | null | undefined;
  readonly and?: readonly FilterOfChronicles[] | null | undefined;
}

/** The columns of the table that contain the values of filters. */
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

/**
 * Returns the expression by which the table's projection is sorted. With a constant in it, ClickHouse would read in the
 * projection's order, but would not use it to select a range.
 */
export const ownStart = (start: string): string => `set_${start}.2`;

export const setsStart = (start: string): string => `set_${start}.1 > 0`;

/** Returns a condition on rows. It holds for each row that decides the start of a chronicle that fulfils the filter. */
export function startCondition(params: Params, filter: FilterOfChronicles, { start }: Rows): string {
  const lead = ownStart(start);
  const bounds = startBounds(filter, start).map(({ operator, ms }) => `${lead} ${operator} ${bindTime(params, ms)}`);
  return all([setsStart(start), ...bounds]);
}

/**
 * Returns a condition on few columns that holds for all chronicles that fulfil the filter.
 * @returns undefined when there is none.
 */
export function amongChronicles(params: Params, filter: FilterOfChronicles, rows: Rows): string | undefined {
  const sets = rowConditions(params, filter, rows).map(
    (condition) => `chronicle_id IN (SELECT chronicle_id FROM ${rows.table} WHERE ${condition})`,
  );
  return sets.length === 0 ? undefined : all(sets);
}

const positive = ({ eq, in: among }: FilterIDInput & FilterStringInput): FilterStringInput => ({ eq, in: among });

/** Returns conditions. For every chronicle that fulfils the filter, each of them is true for some row. */
function rowConditions(params: Params, filter: FilterOfChronicles, rows: Rows): string[] {
  const conditions: string[] = [];
  const members = new Map(Object.entries(filter).filter(([, member]) => given(member)));
  for (const field of rows.texts) {
    const member: FilterStringInput | undefined = members.get(field);
    if (!given(member?.eq) && !given(member?.in)) continue;
    // A text that the row sets to missing equals none.
    conditions.push(compileString(params, { sql: setMember(field, 2), nullable: true }, positive(member)));
  }
  for (const field of rows.lists) {
    const member: FilterIDListInput | undefined = members.get(field);
    const entries = [...(member?.in ?? []), ...(member?.eq ?? [])];
    if (entries.length === 0) continue;
    conditions.push(
      listInColumn({ value: () => [], sql: setMember(field, 3) }).compile({ in: entries }, asking(params)),
    );
  }
  conditions.push(...startAndEnd(params, filter, rows));
  for (const each of filter.and ?? []) conditions.push(...rowConditions(params, each, rows));
  return conditions;
}

const asking = (params: Params) => ({ params, dataSourceIds: () => [], scope: [] });
const setMember = (field: string, element: number): string => `set_${columnOf(field)}.${element}`;

interface Bound {
  readonly operator: ">=" | "<=";
  readonly ms: number;
}

const from = (ms: number | null | undefined): Bound[] => (given(ms) ? [{ operator: ">=", ms }] : []);
const to = (ms: number | null | undefined): Bound[] => (given(ms) ? [{ operator: "<=", ms }] : []);

function startAndEnd(params: Params, { and: _and, ...filter }: FilterOfChronicles, rows: Rows): string[] {
  const conditions: string[] = [];
  const starts = startBounds(filter, rows.start);
  // The condition repeats the projection's expression, because the projection knows the column by that expression only.
  if (starts.length > 0) conditions.push(startCondition(params, filter, rows));
  const { containing, intersecting, containingInstant, endingWithin, containedBy, before } = filter.timeRange ?? {};
  const lasting = [...from(containing?.end), ...from(intersecting?.start), ...from(containingInstant)];
  const ended = [...from(endingWithin?.start), ...to(endingWithin?.end), ...to(containedBy?.end), ...to(before)];
  const end = "set_end_time.2";
  const compare = ({ operator, ms }: Bound) => `ifNull(${end} ${operator} ${bindTime(params, ms)}, 0)`;
  const isSet = "set_end_time.1 > 0";
  if (lasting.length > 0) conditions.push(all([isSet, `${end} IS NULL OR ${all(lasting.map(compare))}`]));
  if (ended.length > 0) conditions.push(all([isSet, ...ended.map(compare)]));
  for (const field of rows.times) {
    const bounds = boundsOf(filter, field);
    const column = setMember(field, 2);
    const compareTo = ({ operator, ms }: Bound) => `ifNull(${column} ${operator} ${bindTime(params, ms)}, 0)`;
    if (bounds.length > 0) conditions.push(all([`${setMember(field, 1)} > 0`, ...bounds.map(compareTo)]));
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

/** The bounds of a time that must lie in a range. */
function boundsOf(filter: object, field: string): Bound[] {
  const member: FilterDateTimeOffsetInput | null | undefined = Reflect.get(filter, field);
  const [first, last] = member?.between ?? [];
  return [...[member?.eq, first].flatMap(from), ...[member?.eq, last].flatMap(to)];
}
