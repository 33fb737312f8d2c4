import type { FilterIDInput, FilterStringInput } from "../../../schemas/filters.ts";
import { fieldOf, type Optional, type SqlColumn, type Test } from "../fields.ts";
import { all, given, not, type Params } from "../sql/sql.ts";
import { type Equality, equalityTest } from "./equality.ts";
import { exists, known } from "./known.ts";

/** Words (tags) are described with `anyCase`. */
export const stringField = fieldOf<FilterStringInput, Optional<string>>({
  test: (filter, anyCase) => (anyCase ? anyCaseTest(filter) : stringTest(filter)),
  compile: compileString,
});

export const idField = fieldOf<FilterIDInput, Optional<string>>({ test: equalityTest, compile: compileString });

/** Compares a value of an enumeration in memory. `stringField` filters a column that stores an enumeration. */
export const equalTo = <Subject, Value>(value: (subject: Subject) => Value) => ({
  test: (filter: Equality<Value>): Test<Subject> => {
    const isEqual = equalityTest(filter);
    return (subject) => isEqual(value(subject));
  },
});

export function stringTest(filter: FilterStringInput): Test<Optional<string>> {
  const isEqual = equalityTest(filter);
  const like = filter.like?.toLowerCase();
  if (like === undefined) return isEqual;
  return (value) => isEqual(value) && value != null && inLowerCase(value).includes(like);
}

function anyCaseTest(filter: FilterStringInput): Test<Optional<string>> {
  const lower = (text: Optional<string>) => text?.toLowerCase();
  const among = filter.in?.map((text) => text.toLowerCase());
  const test = stringTest({ ...filter, eq: lower(filter.eq), ne: lower(filter.ne), in: among });
  return (value) => test(value == null ? value : inLowerCase(value));
}

/**
 * The text that was tested last. It is kept because the branches of a filter test the same text one after the other.
 */
let last = { text: "", lower: "" };

function inLowerCase(text: string): string {
  if (last.text !== text) last = { text, lower: text.toLowerCase() };
  return last.lower;
}

export function compileString(params: Params, column: SqlColumn, filter: FilterStringInput): string {
  const conditions: string[] = [];
  const folded = fold(column, column.sql);
  const bind = (text: string) => fold(column, params.bind("String", text));
  if (given(filter.eq)) conditions.push(known(column, `${folded} = ${bind(filter.eq)}`));
  if (given(filter.ne)) conditions.push(not(known(column, `${folded} = ${bind(filter.ne)}`)));
  if (given(filter.in)) conditions.push(known(column, oneOf(params, column, filter.in)));
  if (given(filter.like)) {
    // positionCaseInsensitiveUTF8 would fold some letters differently from equality and from JavaScript.
    const text = params.bind("String", filter.like);
    conditions.push(known(column, `position(lowerUTF8(${column.sql}), lowerUTF8(${text})) > 0`));
  }
  if (given(filter.attributeExists)) conditions.push(exists(column, filter.attributeExists));
  return all(conditions);
}

/** A single value is compared with `=`, which lets ClickHouse read a table in its order. */
function oneOf(params: Params, column: SqlColumn, texts: readonly string[]): string {
  const folded = fold(column, column.sql);
  const [first] = texts;
  if (first === undefined) return "0";
  if (texts.length === 1) return `${folded} = ${fold(column, params.bind("String", first))}`;
  const list = params.bindList("String", texts);
  return `${folded} IN ${column.anyCase === true ? `arrayMap(text -> lowerUTF8(text), ${list})` : list}`;
}

const fold = ({ anyCase }: SqlColumn, sql: string): string => (anyCase === true ? `lowerUTF8(${sql})` : sql);

/**
 * Compiles `ne` as the negation of `eq`, so that a row whose related object is unknown passes it. `holds` compiles a
 * filter without `ne`.
 */
export function withoutNe(filter: FilterStringInput, holds: (positive: FilterStringInput) => string): string {
  const { ne, ...rest } = filter;
  const conditions: string[] = [];
  if (Object.values(rest).some(given)) conditions.push(holds(rest));
  if (given(ne)) conditions.push(not(holds({ eq: ne })));
  return all(conditions);
}
