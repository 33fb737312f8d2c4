// Filters on a place inside JSON text. A missing path, null, and a value that cannot be cast count as missing.
import type { FilterJSONFieldInput, FilterJSONFieldStringInput, FilterStringInput } from "../../../schemas/filters.ts";
import { all, given, type Params } from "../sql/sql.ts";
import { compileBoolean } from "./boolean.ts";
import { compileNumber } from "./number.ts";
import { compileString } from "./string.ts";

/** `column` holds JSON text or NULL. */
export function compileJsonField(params: Params, column: string, { path, filter }: FilterJSONFieldInput): string {
  const text = scalarText(params, column, path);
  const conditions: string[] = [];
  const cast = (sql: string) => ({ sql, nullable: true });
  if (given(filter.integer)) {
    // Rounds towards zero, as CAST does; a value beyond 64 bits is no integer.
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

/** The content of a string, the text of a number or boolean; NULL for objects and arrays. */
function scalarText(params: Params, column: string, path: Path): string {
  const raw = rawAt(params, column, path);
  return `multiIf(JSONType(${raw}) IN ('Null', 'Object', 'Array'), NULL, JSONType(${raw}) = 'String', JSONExtractString(${raw}), ${raw})`;
}

/** Like scalarText, but objects and arrays give their JSON text. */
function anyText(params: Params, column: string, path: Path): string {
  const raw = rawAt(params, column, path);
  return `multiIf(JSONType(${raw}) = 'Null', NULL, JSONType(${raw}) = 'String', JSONExtractString(${raw}), ${raw})`;
}

function rawAt(params: Params, column: string, path: Path): string {
  let raw = `ifNull(${column}, '')`;
  for (const segment of path) {
    if (!given(segment)) return "''";
    const byKey = `if(JSONType(${raw}) = 'Object', JSONExtractRaw(${raw}, ${params.bind("String", segment)}), '')`;
    // JSONExtractRaw counts from 1, and in an object it would take an index for the position of a key.
    raw = /^\d{1,9}$/.test(segment)
      ? `if(JSONType(${raw}) = 'Array', JSONExtractRaw(${raw}, ${params.bind("UInt32", Number(segment) + 1)}), ${byKey})`
      : byKey;
  }
  return raw;
}
