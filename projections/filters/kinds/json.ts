// Filters on a place inside JSON text. A missing path, null, and a value that cannot be cast count as missing.

import { badInput } from "../../../schemas/errors.ts";
import type { FilterJSONFieldInput, FilterJSONFieldStringInput, FilterStringInput } from "../../../schemas/filters.ts";
import { limits } from "../../../schemas/limits.ts";
import { all, given, type Params } from "../sql/sql.ts";
import { compileBoolean } from "./boolean.ts";
import { compileNumber } from "./number.ts";
import { compileString } from "./string.ts";

/** `column` contains JSON text or NULL. */
export function compileJsonField(params: Params, column: string, { path, filter }: FilterJSONFieldInput): string {
  const text = scalarText(params, column, path);
  const conditions: string[] = [];
  const cast = (sql: string) => ({ sql, nullable: true });
  if (given(filter.integer)) {
    // The cast rounds towards zero, as CAST does. A value beyond 64 bits is no integer.
    const integer = `coalesce(toInt64OrNull(${text}), accurateCastOrNull(trunc(toFloat64OrNull(${text})), 'Int64'))`;
    conditions.push(compileNumber(params, cast(integer), filter.integer, "Int64"));
  }
  if (given(filter.float)) {
    conditions.push(compileNumber(params, cast(`toFloat64OrNull(${text})`), filter.float, "Float64"));
  }
  if (given(filter.boolean)) {
    const boolean = `transform(lower(ifNull(${text}, '')), ['true', '1', 'false', '0'], [1, 1, 0, 0], NULL)`;
    conditions.push(compileBoolean(params, cast(boolean), filter.boolean));
  }
  if (given(filter.string)) conditions.push(compileString(params, cast(anyText(params, column, path)), filter.string));
  return all(conditions);
}

export function compileJsonFieldString(params: Params, column: string, field: FilterJSONFieldStringInput): string {
  const filter: FilterStringInput = field.filter;
  return compileString(params, { sql: anyText(params, column, field.path), nullable: true }, filter);
}

type Path = FilterJSONFieldInput["path"];

/**
 * The maximum number of steps of a path. Each step is a function inside the previous one, and ClickHouse parses no
 * deeper nesting.
 */
const MAX_STEPS = 30;

/**
 * Gives `of` a name for the value, which may use it several times. Without a name, the text of the expression would
 * double at each step of a path.
 */
const once = (raw: string, of: (value: string) => string): string => `arrayMap(json -> ${of("json")}, [${raw}])[1]`;

/** The content of a string, or the text of a number or boolean. NULL for objects and arrays. */
const scalarText = (params: Params, column: string, path: Path): string =>
  textAt(params, column, path, "'Null', 'Object', 'Array'");

/** Like scalarText, but objects and arrays give their JSON text. `column` contains JSON text or NULL. */
export const anyText = (params: Params, column: string, path: Path): string => textAt(params, column, path, "'Null'");

const textAt = (params: Params, column: string, path: Path, missing: string): string =>
  once(
    rawAt(params, column, path),
    (json) =>
      `multiIf(JSONType(${json}) IN (${missing}), NULL, JSONType(${json}) = 'String', JSONExtractString(${json}), ${json})`,
  );

/** The keys of the object at the path. There are none when the value is not an object. */
export const keysAt = (params: Params, column: string, path: Path): string =>
  once(rawAt(params, column, path), (json) => `if(JSONType(${json}) = 'Object', JSONExtractKeys(${json}), [])`);

function rawAt(params: Params, column: string, path: Path): string {
  if (path.length > MAX_STEPS) throw badInput(`a path has at most ${MAX_STEPS} steps`);
  let raw = `ifNull(${column}, '')`;
  for (const segment of path) {
    if (!given(segment)) return "''";
    if (segment.length > limits.maxTextLength) {
      throw badInput(`a step of a path has at most ${limits.maxTextLength} characters`);
    }
    raw = once(raw, (json) => stepInto(params, json, segment));
  }
  return raw;
}

function stepInto(params: Params, json: string, segment: string): string {
  const byKey = `if(JSONType(${json}) = 'Object', JSONExtractRaw(${json}, ${params.bind("String", segment)}), '')`;
  // JSONExtractRaw counts from 1, and in an object it would take an index for the position of a key.
  return /^\d{1,9}$/.test(segment)
    ? `if(JSONType(${json}) = 'Array', JSONExtractRaw(${json}, ${params.bind("UInt32", Number(segment) + 1)}), ${byKey})`
    : byKey;
}
