import { badInput } from "../../../schemas/errors.ts";
import type { FilterDateTimeOffsetInput, FilterNumberInput } from "../../../schemas/filters.ts";
import { fieldOf, type Optional, type SqlColumn, type Test } from "../fields.ts";
import { all, bindTime, given, not, type Params } from "../sql/sql.ts";
import { equalityTest } from "./equality.ts";
import { exists, known } from "./known.ts";

/** Times are numbers of milliseconds. */
export const timeField = fieldOf<FilterDateTimeOffsetInput, Optional<number>>({
  test: numberTest,
  compile: compileTime,
});

export function numberTest(filter: FilterNumberInput): Test<Optional<number>> {
  const { lt, le, gt, ge, between } = filter;
  const isEqual = equalityTest(filter);
  if (lt == null && le == null && gt == null && ge == null && between == null) return isEqual;
  return (value) => {
    if (!isEqual(value) || value === null || value === undefined) return false;
    if (lt != null && !(value < lt)) return false;
    if (le != null && !(value <= le)) return false;
    if (gt != null && !(value > gt)) return false;
    if (ge != null && !(value >= ge)) return false;
    return between == null || isBetween(between, value);
  };
}

function isBetween([from, to]: readonly number[], value: number): boolean {
  return from !== undefined && to !== undefined && from <= value && value <= to;
}

export function compileNumber(
  params: Params,
  column: SqlColumn,
  filter: FilterNumberInput,
  type: "Int64" | "Float64",
): string {
  const conditions: string[] = [];
  const compare = (operator: string, operand: Optional<number>) => {
    if (given(operand)) conditions.push(known(column, `${column.sql} ${operator} ${params.bind(type, operand)}`));
  };
  compare("=", filter.eq);
  compare("<", filter.lt);
  compare("<=", filter.le);
  compare(">", filter.gt);
  compare(">=", filter.ge);
  if (given(filter.ne)) conditions.push(not(known(column, `${column.sql} = ${params.bind(type, filter.ne)}`)));
  if (given(filter.in)) {
    const list = params.bindList(type, filter.in);
    conditions.push(filter.in.length === 0 ? "0" : known(column, `has(${list}, ${column.sql})`));
  }
  if (given(filter.between)) {
    const [from, to] = pair(filter.between);
    conditions.push(known(column, `${column.sql} BETWEEN ${params.bind(type, from)} AND ${params.bind(type, to)}`));
  }
  if (given(filter.attributeExists)) conditions.push(exists(column, filter.attributeExists));
  return all(conditions);
}

function compileTime(params: Params, column: SqlColumn, filter: FilterDateTimeOffsetInput): string {
  const conditions: string[] = [];
  if (given(filter.eq)) conditions.push(known(column, `${column.sql} = ${bindTime(params, filter.eq)}`));
  if (given(filter.between)) {
    const [from, to] = pair(filter.between).map((ms) => bindTime(params, ms));
    conditions.push(known(column, `${column.sql} >= ${from} AND ${column.sql} <= ${to}`));
  }
  if (given(filter.attributeExists)) conditions.push(exists(column, filter.attributeExists));
  return all(conditions);
}

function pair(values: readonly number[]): [number, number] {
  const [from, to] = values;
  if (from === undefined || to === undefined || values.length !== 2) throw badInput("between takes two values");
  return [from, to];
}
