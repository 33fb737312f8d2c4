// Filters on one value. `value.sql` may be a column or any expression.
import type {
  FilterBooleanInput,
  FilterDateTimeOffsetInput,
  FilterIDInput,
  FilterNumberInput,
  FilterStringInput,
  FilterTimeRangeInput,
  TimeRangeInput,
} from "../../../schemas/filters.ts";
import { BadInput } from "../../history/bad-input.ts";
import { all, bindTime, given, not, type Params } from "./sql.ts";

export interface Value {
  readonly sql: string;
  readonly nullable?: boolean;
  /** Equality regardless of case, for names that are words (tags). */
  readonly anyCase?: boolean;
}

export function compileId(params: Params, value: Value, filter: FilterIDInput): string {
  return compileString(params, value, filter);
}

export function compileString(params: Params, value: Value, filter: FilterStringInput): string {
  const conditions: string[] = [];
  const folded = value.anyCase === true ? `lowerUTF8(${value.sql})` : value.sql;
  const bind = (text: string) => fold(value, params.bind("String", text));
  if (given(filter.eq)) conditions.push(known(value, `${folded} = ${bind(filter.eq)}`));
  if (given(filter.ne)) conditions.push(not(known(value, `${folded} = ${bind(filter.ne)}`)));
  if (given(filter.in)) conditions.push(known(value, oneOf(params, value, folded, filter.in)));
  if (given(filter.like)) {
    const text = params.bind("String", filter.like);
    conditions.push(known(value, `positionCaseInsensitiveUTF8(${value.sql}, ${text}) > 0`));
  }
  if (given(filter.attributeExists)) conditions.push(exists(value, filter.attributeExists));
  return all(conditions);
}

/** A single value is compared with `=`, which lets ClickHouse read a table in its order. */
function oneOf(params: Params, value: Value, folded: string, texts: readonly string[]): string {
  const [first] = texts;
  if (first === undefined) return "0";
  if (texts.length === 1) return `${folded} = ${fold(value, params.bind("String", first))}`;
  const list = params.bindList("String", texts);
  return value.anyCase === true ? `${folded} IN arrayMap(text -> lowerUTF8(text), ${list})` : `${value.sql} IN ${list}`;
}

const fold = ({ anyCase }: Value, sql: string): string => (anyCase === true ? `lowerUTF8(${sql})` : sql);

export function compileNumber(
  params: Params,
  value: Value,
  filter: FilterNumberInput,
  type: "Int64" | "Float64",
): string {
  const operators = { eq: "=", lt: "<", le: "<=", gt: ">", ge: ">=" } as const;
  const conditions: string[] = [];
  for (const [name, operator] of Object.entries(operators) as [keyof typeof operators, string][]) {
    const operand = filter[name];
    if (given(operand)) conditions.push(known(value, `${value.sql} ${operator} ${params.bind(type, operand)}`));
  }
  if (given(filter.ne)) conditions.push(not(known(value, `${value.sql} = ${params.bind(type, filter.ne)}`)));
  if (given(filter.in)) {
    const list = params.bindList(type, filter.in);
    conditions.push(filter.in.length === 0 ? "0" : known(value, `has(${list}, ${value.sql})`));
  }
  if (given(filter.between)) {
    const [from, to] = pair(filter.between);
    conditions.push(known(value, `${value.sql} BETWEEN ${params.bind(type, from)} AND ${params.bind(type, to)}`));
  }
  if (given(filter.attributeExists)) conditions.push(exists(value, filter.attributeExists));
  return all(conditions);
}

export function compileBoolean(params: Params, value: Value, filter: FilterBooleanInput): string {
  const conditions: string[] = [];
  if (given(filter.eq)) conditions.push(known(value, `${value.sql} = ${params.bind("Bool", filter.eq)}`));
  if (given(filter.ne)) conditions.push(not(known(value, `${value.sql} = ${params.bind("Bool", filter.ne)}`)));
  if (given(filter.attributeExists)) conditions.push(exists(value, filter.attributeExists));
  return all(conditions);
}

export function compileTime(params: Params, value: Value, filter: FilterDateTimeOffsetInput): string {
  const conditions: string[] = [];
  if (given(filter.eq)) conditions.push(known(value, `${value.sql} = ${bindTime(params, filter.eq)}`));
  if (given(filter.between)) {
    const [from, to] = pair(filter.between);
    conditions.push(
      known(value, `${value.sql} >= ${bindTime(params, from)} AND ${value.sql} <= ${bindTime(params, to)}`),
    );
  }
  if (given(filter.attributeExists)) conditions.push(exists(value, filter.attributeExists));
  return all(conditions);
}

/** `end` is NULL for what has not ended: its period runs to the end of time. */
export function compileTimeRange(params: Params, start: string, end: string, filter: FilterTimeRangeInput): string {
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
    // Nothing starts at the beginning of time; only what has not ended reaches its end.
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

const known = ({ nullable }: Value, test: string): string => (nullable === true ? `ifNull(${test}, 0)` : test);

function exists({ sql, nullable }: Value, wanted: boolean): string {
  if (nullable !== true) return wanted ? "1" : "0";
  return `${sql} IS ${wanted ? "NOT " : ""}NULL`;
}

function pair(values: readonly number[]): [number, number] {
  const [from, to] = values;
  if (from === undefined || to === undefined || values.length !== 2) throw new BadInput("between takes two values");
  return [from, to];
}
