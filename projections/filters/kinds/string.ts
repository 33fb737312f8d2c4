import type { FilterIDInput, FilterStringInput } from "../../../schemas/filters.ts";
import { type Column, fieldOf, type Maybe } from "../fields.ts";
import { all, given, not, type Params } from "../sql/sql.ts";
import { type Equality, matchesEquality } from "./equality.ts";
import { exists, known } from "./known.ts";

/** Words (tags) are described with `anyCase`. */
export const string = fieldOf<FilterStringInput, Maybe<string>>({
  matches: (filter, value, anyCase) => (anyCase ? matchesInAnyCase : matchesString)(filter, value),
  compile: compileString,
});

export const id = fieldOf<FilterIDInput, Maybe<string>>({ matches: matchesId, compile: compileString });

/** A value of an enumeration. Only messages have such fields: no table has such a column. */
export const equalTo = <Subject, Value>(value: (subject: Subject) => Value) => ({
  matches: (filter: Equality<Value>, subject: Subject) => matchesEquality(filter, value(subject)),
});

export function matchesId(filter: FilterIDInput, value: Maybe<string>): boolean {
  return matchesEquality(filter, value);
}

export function matchesString(filter: FilterStringInput, value: Maybe<string>): boolean {
  if (!matchesEquality(filter, value)) return false;
  return filter.like == null || (value?.toLowerCase().includes(filter.like.toLowerCase()) ?? false);
}

function matchesInAnyCase(filter: FilterStringInput, value: Maybe<string>): boolean {
  const { eq, ne, in: among } = filter;
  return matchesString(
    { ...filter, eq: eq?.toLowerCase(), ne: ne?.toLowerCase(), in: among == null ? among : inLowerCase(among) },
    value?.toLowerCase(),
  );
}

const lowered = new WeakMap<readonly string[], readonly string[]>();

function inLowerCase(list: readonly string[]): readonly string[] {
  let lower = lowered.get(list);
  if (lower === undefined) {
    lower = list.map((text) => text.toLowerCase());
    lowered.set(list, lower);
  }
  return lower;
}

export function compileString(params: Params, column: Column, filter: FilterStringInput): string {
  const conditions: string[] = [];
  const folded = fold(column, column.sql);
  const bind = (text: string) => fold(column, params.bind("String", text));
  if (given(filter.eq)) conditions.push(known(column, `${folded} = ${bind(filter.eq)}`));
  if (given(filter.ne)) conditions.push(not(known(column, `${folded} = ${bind(filter.ne)}`)));
  if (given(filter.in)) conditions.push(known(column, oneOf(params, column, filter.in)));
  if (given(filter.like)) {
    // Not positionCaseInsensitiveUTF8: it folds some letters differently from equality and from JavaScript.
    const text = params.bind("String", filter.like);
    conditions.push(known(column, `position(lowerUTF8(${column.sql}), lowerUTF8(${text})) > 0`));
  }
  if (given(filter.attributeExists)) conditions.push(exists(column, filter.attributeExists));
  return all(conditions);
}

/** A single value is compared with `=`, which lets ClickHouse read a table in its order. */
function oneOf(params: Params, column: Column, texts: readonly string[]): string {
  const folded = fold(column, column.sql);
  const [first] = texts;
  if (first === undefined) return "0";
  if (texts.length === 1) return `${folded} = ${fold(column, params.bind("String", first))}`;
  const list = params.bindList("String", texts);
  return `${folded} IN ${column.anyCase === true ? `arrayMap(text -> lowerUTF8(text), ${list})` : list}`;
}

const fold = ({ anyCase }: Column, sql: string): string => (anyCase === true ? `lowerUTF8(${sql})` : sql);

/**
 * Compiles `ne` as the negation of `eq`, so that a row whose other side is unknown passes it. `holds` compiles a filter
 * without `ne`.
 */
export function withoutNe(filter: FilterStringInput, holds: (positive: FilterStringInput) => string): string {
  const { ne, ...rest } = filter;
  const conditions: string[] = [];
  if (Object.values(rest).some(given)) conditions.push(holds(rest));
  if (given(ne)) conditions.push(not(holds({ eq: ne })));
  return all(conditions);
}
