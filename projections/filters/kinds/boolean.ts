import type { FilterBooleanInput } from "../../../schemas/filters.ts";
import { fieldOf, type Optional, type SqlColumn } from "../fields.ts";
import { all, given, not, type Params } from "../sql/sql.ts";
import { equalityTest } from "./equality.ts";
import { exists, known } from "./known.ts";

export const booleanField = fieldOf<FilterBooleanInput, Optional<boolean>>({
  test: equalityTest,
  compile: compileBoolean,
});

export function compileBoolean(params: Params, column: SqlColumn, filter: FilterBooleanInput): string {
  const conditions: string[] = [];
  const is = (value: boolean) => known(column, `${column.sql} = ${params.bind("Bool", value)}`);
  if (given(filter.eq)) conditions.push(is(filter.eq));
  if (given(filter.ne)) conditions.push(not(is(filter.ne)));
  if (given(filter.attributeExists)) conditions.push(exists(column, filter.attributeExists));
  return all(conditions);
}
